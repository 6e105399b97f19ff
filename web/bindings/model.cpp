// The calls of a trained layer's module: numbers lie in its memory, where the page puts them and finds them. No embind,
// so that it needs no JavaScript of its own.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "axpy.hpp"
#include "layer_norm.hpp"

using namespace attention;

namespace {

/// The last problem: argument, what was found, what was expected, each ended by a line feed.
std::string problem_text;

Vector<double> vector_of(double const* numbers, std::size_t size) {
    Vector<double> vector = make_vector<double>(size);
    std::copy(numbers, numbers + size, vector.begin());
    return vector;
}

char const* text_of(Problem const& problem) {
    problem_text = problem->argument + '\n' + problem->found + '\n' + problem->expected + '\n';
    return problem_text.c_str();
}

} // namespace

extern "C" {

double* take_numbers(std::size_t count);
void add_numbers(std::size_t count, double const* addend, double* sum);
char const* normalise(double* x, std::size_t n_token, std::size_t d_model, double const* gain, double const* bias,
                      double epsilon, double* mean, double* variance);
void project(double const* x, std::size_t n_token, std::size_t d_model, double const* weight, double const* bias,
             std::size_t width, double* y);

/// Room for so many numbers, or null where there is none. It is kept as long as the module.
double* take_numbers(std::size_t count) {
    return static_cast<double*>(std::calloc(count, sizeof(double)));
}

/// sum := sum + addend: what a token's embedding is made of, its word's row, its position's and its type's.
void add_numbers(std::size_t count, double const* addend, double* sum) {
    axpy(count, 1, addend, sum);
}

/// layer_norm in place.
///
/// @param mean, variance  n_token entries each, which are written
/// @return                null, or the problem's text
char const* normalise(double* x, std::size_t n_token, std::size_t d_model, double const* gain, double const* bias,
                      double epsilon, double* mean, double* variance) {
    Matrix<double> rows = make_matrix<double>(n_token, d_model);
    std::copy(x, x + rows.size(), rows.begin());
    Vector<double> const gains = vector_of(gain, d_model);
    Vector<double> const biases = vector_of(bias, d_model);
    if (Problem const problem = find_layer_norm_problem(rows, gains, biases, epsilon)) {
        return text_of(problem);
    }
    LayerNorm const result = layer_norm(rows, gains, biases, epsilon);
    std::copy(result.output.begin(), result.output.end(), x);
    std::copy(result.mean.begin(), result.mean.end(), mean);
    std::copy(result.variance.begin(), result.variance.end(), variance);
    return nullptr;
}

/// y = x W + b.
///
/// @param x       (n_token, d_model)
/// @param weight  (d_model, width), row-major
/// @param bias    (width)
/// @param y       (n_token, width), which is written
void project(double const* x, std::size_t n_token, std::size_t d_model, double const* weight, double const* bias,
             std::size_t width, double* y) {
    for (std::size_t i = 0; i < n_token; ++i) {
        std::copy(bias, bias + width, y + i * width);
    }
    // Each row of the weights is fetched once for all tokens.
    for (std::size_t c = 0; c < d_model; ++c) {
        for (std::size_t i = 0; i < n_token; ++i) {
            axpy(width, x[i * d_model + c], weight + c * width, y + i * width);
        }
    }
}
}
