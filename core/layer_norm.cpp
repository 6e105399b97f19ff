#include "layer_norm.hpp"

#include <algorithm>
#include <cmath>

namespace attention {
namespace {

/// Beyond 2^400 and below 2^-400, squares of entries leave float64's range once they are summed.
constexpr int largest_exponent = 400;

/// The power of two by which a row is divided before its squares are summed: 0, unless they would leave the range. A
/// row of tiny entries needs it only without an epsilon, beside which its variance is nothing.
int exponent_of(double const* row, std::size_t d_model, double epsilon) {
    double largest = 0;
    for (std::size_t j = 0; j < d_model; ++j) {
        largest = std::max(largest, std::fabs(row[j]));
    }
    if (largest == 0) {
        return 0;
    }
    int const exponent = std::ilogb(largest);
    // Two more, so that the difference of two entries is finite too.
    return exponent > largest_exponent || (exponent < -largest_exponent && epsilon == 0) ? exponent + 2 : 0;
}

Problem find_vector_problem(Vector<double> const& vector, char const* name, std::size_t d_model) {
    if (vector.size() != d_model) {
        return describe_problem(name, {"has ", vector.size(), " numbers"}, {"x has d_model = ", d_model});
    }
    for (std::size_t j = 0; j < d_model; ++j) {
        if (!std::isfinite(vector(j))) {
            return describe_problem(name, {"is ", vector(j), " at ", j}, {"every number must be finite"});
        }
    }
    return {};
}

/// The formula, for arguments that have no problem. An output is not finite where the gain or the bias makes it
/// overflow.
LayerNorm normalised(Matrix<double> const& x, Vector<double> const& gain, Vector<double> const& bias, double epsilon) {
    std::size_t const n_token = x.shape(0);
    std::size_t const d_model = x.shape(1);
    double const count = static_cast<double>(d_model);
    LayerNorm result{make_matrix<double>(n_token, d_model), make_vector<double>(n_token), make_vector<double>(n_token)};
    for (std::size_t i = 0; i < n_token; ++i) {
        double const* const row = row_of(x, i);
        double* const output = row_of(result.output, i);
        int const exponent = exponent_of(row, d_model, epsilon);
        double sum = 0;
        for (std::size_t j = 0; j < d_model; ++j) {
            sum += std::ldexp(row[j], -exponent);
        }
        double const mean = sum / count;
        double squares = 0;
        for (std::size_t j = 0; j < d_model; ++j) {
            output[j] = std::ldexp(row[j], -exponent) - mean;
            squares += output[j] * output[j];
        }
        double const variance = squares / count;
        double const divisor = std::sqrt(variance + std::ldexp(epsilon, -2 * exponent));
        for (std::size_t j = 0; j < d_model; ++j) {
            output[j] = gain(j) * (output[j] / divisor) + bias(j);
        }
        result.mean(i) = std::ldexp(mean, exponent);
        result.variance(i) = std::ldexp(variance, 2 * exponent);
    }
    return result;
}

} // namespace

Problem find_layer_norm_problem(Matrix<double> const& x, Vector<double> const& gain, Vector<double> const& bias,
                                double epsilon) {
    if (x.size() == 0) {
        return describe_problem("x", {"has shape ", shape_of(x)}, {"every axis must be at least 1"});
    }
    if (Problem problem = find_non_finite(x, "x", "is ", "every number must be finite")) {
        return problem;
    }
    if (Problem problem = find_vector_problem(gain, "gain", x.shape(1))) {
        return problem;
    }
    if (Problem problem = find_vector_problem(bias, "bias", x.shape(1))) {
        return problem;
    }
    if (!std::isfinite(epsilon) || epsilon < 0) {
        return describe_problem("epsilon", {"is ", epsilon < 0 ? MessagePart("below 0") : MessagePart(epsilon)},
                                {"must be a finite number, at least 0"});
    }
    for (std::size_t i = 0; epsilon == 0 && i < x.shape(0); ++i) {
        double const* const row = row_of(x, i);
        if (std::all_of(row, row + x.shape(1), [&](double entry) { return entry == row[0]; })) {
            return describe_problem("epsilon", {"is 0 and row ", i, " of x is constant"},
                                    {"must be above 0 where a row has no variance"});
        }
    }
    return {};
}

LayerNorm layer_norm(Matrix<double> const& x, Vector<double> const& gain, Vector<double> const& bias, double epsilon) {
    throw_if_problem([&] { return find_layer_norm_problem(x, gain, bias, epsilon); });
    LayerNorm result = normalised(x, gain, bias, epsilon);
    throw_if_problem([&] {
        return find_non_finite(result.output, "gain", "makes the output ",
                               "gain and bias must leave every output within float64's range");
    });
    return result;
}

} // namespace attention
