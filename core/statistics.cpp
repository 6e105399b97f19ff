#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elementary.hpp"
#include "metrics.hpp"

namespace attention {
namespace {

void add(Moments& moments, double number) {
    moments.sum += number;
    moments.sum_of_squares += number * number;
}

void add(Moments& moments, Moments const& more) {
    moments.sum += more.sum;
    moments.sum_of_squares += more.sum_of_squares;
}

double variance(Moments const& moments, std::size_t count) {
    double const mean = moments.sum / static_cast<double>(count);
    return moments.sum_of_squares / static_cast<double>(count) - mean * mean;
}

double sqrt_of(std::size_t d_k) {
    return std::sqrt(static_cast<double>(d_k));
}

/// The population standard deviation of numbers whose moments are at hand for their sum.
double spread_of(Matrix<double> const& scores, Moments const& moments) {
    double const mean = moments.sum / static_cast<double>(scores.size());
    double sum_of_squares = 0;
    for (double const score : scores) {
        sum_of_squares += (score - mean) * (score - mean);
    }
    return std::sqrt(sum_of_squares / static_cast<double>(scores.size()));
}

/// Adds the figures of every row's softmax: those of `softmax` and `row_metrics`, and nothing else, as most of a run's
/// time is spent here.
///
/// @param exponentials  (T, T); room to work in
void add_rows(SoftmaxFigures& sums, Matrix<double> const& scores, double divisor, Matrix<double>& exponentials) {
    std::size_t const n = scores.shape(1);
    double const factor = 1 / divisor;
    for (std::size_t i = 0; i < n; ++i) {
        double const* const s = row_of(scores, i);
        double* const e = row_of(exponentials, i);
        double largest = s[0];
        for (std::size_t j = 1; j < n; ++j) {
            largest = s[j] > largest ? s[j] : largest;
        }
        for (std::size_t j = 0; j < n; ++j) {
            e[j] = (s[j] - largest) * factor;
        }
    }
    exponentials_of_negatives(exponentials.size(), exponentials.data());
    for (std::size_t i = 0; i < n; ++i) {
        double const* const e = row_of(exponentials, i);
        double total = 0;
        for (std::size_t j = 0; j < n; ++j) {
            total += e[j];
        }
        double const peak = 1 / total; // the largest score's exponential is 1
        double diagonal = 0;
        double off_diagonal = 0;
        double squares_so_far = 0;
        for (std::size_t j = 0; j < n; ++j) {
            double const weight = e[j] * peak;
            double const square = weight * weight;
            diagonal += square * (1 - weight) * (1 - weight);
            off_diagonal += square * squares_so_far;
            squares_so_far += square;
        }
        sums.peak += peak;
        sums.jacobian += std::sqrt(diagonal + 2 * off_diagonal);
        sums.saturated += peak >= saturated_from ? 1 : 0;
    }
}

/// Samples one seed: writes its spreads, one for each width, and adds to the sums.
void sample_seed(StatisticsSettings const& settings, std::uint32_t seed, double* spreads,
                 std::vector<WidthSums>& sums) {
    std::size_t const n = settings.tokens.size();
    Matrix<double> const X = seeded_embeddings(settings.tokens, settings.d_model, seed);
    std::size_t const no_values = 0;
    ProjectionWeights const weights = seeded_weights(settings.d_model, settings.widths.back(), no_values, seed);
    Matrix<double> const Q = matrix_product(X, weights.W_q); // (T, d_k)
    Matrix<double> const K = matrix_product(X, weights.W_k); // (T, d_k)

    Matrix<double> scores = make_matrix<double>(n, n);
    Matrix<double> exponentials = make_matrix<double>(n, n);
    Vector<double> k = make_vector<double>(n);
    Moments of_q;
    Moments of_k;
    Moments of_products;
    std::size_t c = 0;
    for (std::size_t width = 0; width < settings.widths.size(); ++width) {
        std::size_t const d_k = settings.widths[width];
        for (; c < d_k; ++c) {
            for (std::size_t j = 0; j < n; ++j) {
                k.data()[j] = row_of(K, j)[c];
                add(of_k, k.data()[j]);
            }
            for (std::size_t i = 0; i < n; ++i) {
                double const q = row_of(Q, i)[c];
                add(of_q, q);
                double* const s = row_of(scores, i);
                for (std::size_t j = 0; j < n; ++j) {
                    double const product = q * k.data()[j];
                    add(of_products, product);
                    s[j] += product;
                }
            }
        }
        WidthSums& at = sums[width];
        add(at.q, of_q);
        add(at.k, of_k);
        add(at.product, of_products);
        Moments of_scores;
        for (double const score : scores) {
            add(of_scores, score);
        }
        add(at.score, of_scores);
        spreads[width] = spread_of(scores, of_scores);
        add_rows(at.unscaled, scores, 1, exponentials);
        add_rows(at.scaled, scores, sqrt_of(d_k), exponentials);
    }
}

/// The quantile p of numbers, which it puts in another order. Its place must be from `first` to `last`, and the numbers
/// already parted there: none before is larger and none behind smaller.
double quantile(std::vector<double>& numbers, double p, std::ptrdiff_t first, std::ptrdiff_t last) {
    double const place = p * static_cast<double>(numbers.size() - 1);
    auto const below = static_cast<std::ptrdiff_t>(place);
    auto const at = numbers.begin() + below;
    std::nth_element(numbers.begin() + first, at, numbers.begin() + last);
    double const next = at + 1 == numbers.end() ? *at : *std::min_element(at + 1, numbers.end());
    return *at + (place - static_cast<double>(below)) * (next - *at);
}

Band band_of(std::vector<double>& numbers) {
    auto const n = static_cast<std::ptrdiff_t>(numbers.size());
    std::ptrdiff_t const middle = (n - 1) / 2; // the median parts the numbers, and the others need look at a half each
    Band band;
    band.median = quantile(numbers, 0.5, 0, n);
    band.low = quantile(numbers, 0.1, 0, middle);
    band.high = quantile(numbers, 0.9, middle, n);
    return band;
}

SoftmaxFigures means_of(SoftmaxFigures const& sums, std::size_t rows) {
    auto const count = static_cast<double>(rows);
    return {sums.peak / count, sums.jacobian / count, sums.saturated / count};
}

Problem find_length_problem(char const* name, std::size_t length, std::size_t expected) {
    Requirements requirements;
    requirements.require(length == expected, name, {"has length ", length}, {"there are ", expected, " widths"});
    return requirements.first_problem();
}

} // namespace

Problem find_problem(StatisticsSettings const& settings, std::uint32_t first_seed, std::size_t count) {
    std::size_t const n = settings.tokens.size();
    Requirements requirements;
    requirements.require(n >= 1 && n <= maximum_sampled_tokens, "tokens", {"holds ", n, " tokens"},
                         {"must hold 1 to ", maximum_sampled_tokens});
    requirements.require(settings.d_model >= 1 && settings.d_model <= maximum_width, "d_model",
                         {"is ", settings.d_model}, {"must be a whole number from 1 to ", maximum_width});
    requirements.require(!settings.widths.empty(), "widths", {"is empty"}, {"must hold at least one d_k"});
    std::size_t before = 0;
    for (std::size_t const d_k : settings.widths) {
        requirements.require(d_k > before && d_k <= maximum_width, "widths", {"holds ", d_k, " after ", before},
                             {"must ascend from 1 to ", maximum_width});
        before = d_k;
    }
    requirements.require(count >= 1 && count <= maximum_seeds, "count", {"is ", count},
                         {"must be a whole number from 1 to ", maximum_seeds});
    requirements.require(count - 1 <= std::numeric_limits<std::uint32_t>::max() - first_seed, "first_seed",
                         {"is ", first_seed}, {"there are not ", count, " seeds from there on"});
    return requirements.first_problem();
}

Sample sample(StatisticsSettings const& settings, std::uint32_t first_seed, std::size_t count,
              std::vector<WidthSums> const& before) {
    require_none([&] { return find_problem(settings, first_seed, count); });
    std::size_t const widths = settings.widths.size();
    Sample sample{make_matrix<double>(count, widths), before};
    if (before.empty()) {
        sample.sums.resize(widths);
    }
    require_none([&] { return find_length_problem("before", sample.sums.size(), widths); });
    for (std::size_t index = 0; index < count; ++index) {
        sample_seed(settings, first_seed + static_cast<std::uint32_t>(index), row_of(sample.spread, index),
                    sample.sums);
    }
    return sample;
}

std::vector<WidthSummary> summarise(StatisticsSettings const& settings, Matrix<double> const& spread,
                                    std::vector<WidthSums> const& sums) {
    std::size_t const widths = settings.widths.size();
    std::size_t const seeds = spread.shape(0);
    require_none([&] { return find_length_problem("sums", sums.size(), widths); });
    require_none([&] { return find_length_problem("a row of spread", spread.shape(1), widths); });
    require_none(
        [&] { return problem_unless(seeds >= 1, "spread", {"has no rows"}, {"there must be at least one seed"}); });

    std::size_t const rows = seeds * settings.tokens.size();
    std::size_t const cells = rows * settings.tokens.size();
    std::vector<double> spreads(seeds);
    std::vector<WidthSummary> summaries;
    for (std::size_t width = 0; width < widths; ++width) {
        std::size_t const d_k = settings.widths[width];
        for (std::size_t seed = 0; seed < seeds; ++seed) {
            spreads[seed] = row_of(spread, seed)[width];
        }
        WidthSums const& at = sums[width];
        WidthSummary summary;
        Band const band = band_of(spreads);
        double const root = sqrt_of(d_k);
        summary.unscaled = {root, band, means_of(at.unscaled, rows)};
        summary.scaled = {1, {band.low / root, band.median / root, band.high / root}, means_of(at.scaled, rows)};
        summary.q_variance = variance(at.q, rows * d_k);
        summary.k_variance = variance(at.k, rows * d_k);
        summary.product_variance = variance(at.product, cells * d_k);
        summary.score_variance = variance(at.score, cells);
        summaries.push_back(summary);
    }
    return summaries;
}

} // namespace attention
