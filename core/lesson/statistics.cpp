#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "elementary.hpp"
#include "metrics.hpp"
#include "threads.hpp"

namespace attention {
namespace {

// Inlined by hand: the loops that call it are most of a run, and a build for size would call it for each product.
[[gnu::always_inline]] inline void add(Moments& moments, double number) {
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

void add(std::vector<SoftmaxFigures>& rows, SoftmaxFigures const& row) {
    rows.push_back(row);
}

[[gnu::always_inline]] inline void add(SoftmaxFigures& sums, SoftmaxFigures const& more) {
    sums.peak += more.peak;
    sums.jacobian += more.jacobian;
    sums.saturated += more.saturated;
}

/// Adds the figures of every row's softmax: those of `softmax` and `row_metrics`, and nothing else, as most of a run's
/// time is spent here.
///
/// @param exponentials  (T, T); room to work in
template <class Figures>
void add_rows(Figures& sums, Matrix<double> const& scores, double divisor, Matrix<double>& exponentials) {
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
        add(sums, SoftmaxFigures{peak, std::sqrt(diagonal + 2 * off_diagonal), peak >= saturated_from ? 1.0 : 0.0});
    }
}

/// Samples one seed: writes its spreads, one for each d_k, and adds to the sums, or to what stands for them.
template <class Sums>
void sample_seed(StatisticsSettings const& settings, std::uint32_t seed, double* spreads, std::vector<Sums>& sums) {
    std::size_t const n = settings.tokens.size();
    Matrix<double> const X = seeded_embeddings(settings.tokens, settings.d_model, seed);
    std::size_t const no_values = 0;
    ProjectionWeights const weights = seeded_weights(settings.d_model, settings.largest_d_k, no_values, seed);
    Matrix<double> const Q = matrix_product(X, weights.W_q); // (T, d_k)
    Matrix<double> const K = matrix_product(X, weights.W_k); // (T, d_k)
    double const* const query = Q.data();
    double const* const key = K.data();

    Matrix<double> scores = make_matrix<double>(n, n);
    Matrix<double> exponentials = make_matrix<double>(n, n);
    Vector<double> component = make_vector<double>(n); // c of every key
    double* const k = component.data();
    Moments of_q;
    Moments of_k;
    Moments of_products;
    for (std::size_t c = 0; c < settings.largest_d_k; ++c) {
        for (std::size_t j = 0; j < n; ++j) {
            k[j] = key[j * settings.largest_d_k + c];
            add(of_k, k[j]);
        }
        for (std::size_t i = 0; i < n; ++i) {
            double const q = query[i * settings.largest_d_k + c];
            add(of_q, q);
            double* const s = scores.data() + i * n;
            for (std::size_t j = 0; j < n; ++j) {
                double const product = q * k[j];
                add(of_products, product);
                s[j] += product;
            }
        }
        Sums& at = sums[c]; // of d_k = c + 1
        add(at.q, of_q);
        add(at.k, of_k);
        add(at.product, of_products);
        Moments of_scores;
        for (double const score : scores) {
            add(of_scores, score);
        }
        add(at.score, of_scores);
        spreads[c] = spread_of(scores, of_scores);
        add_rows(at.unscaled, scores, 1, exponentials);
        add_rows(at.scaled, scores, sqrt_of(c + 1), exponentials);
    }
}

/// What one seed adds at one width: moments, which are added as one, and figures, which are added row by row.
struct SeedSums {
    Moments q;
    Moments k;
    Moments product;
    Moments score;
    std::vector<SoftmaxFigures> unscaled;
    std::vector<SoftmaxFigures> scaled;
};

void add(WidthSums& sums, SeedSums const& more) {
    add(sums.q, more.q);
    add(sums.k, more.k);
    add(sums.product, more.product);
    add(sums.score, more.score);
    for (SoftmaxFigures const& row : more.unscaled) {
        add(sums.unscaled, row);
    }
    for (SoftmaxFigures const& row : more.scaled) {
        add(sums.scaled, row);
    }
}

/// Sorts by insertion at ever closer distances. std::sort would do, and weighs a kilobyte in a page.
/// Source: Shell, "A high-speed sorting procedure", 1959.
void sort(Vector<double>& numbers) {
    double* const at = numbers.data();
    std::size_t const count = numbers.size();
    for (std::size_t gap = count; gap > 1;) {
        gap = gap < 5 ? 1 : 5 * gap / 11; // the ratio that Gonnet and Baeza-Yates found best
        for (std::size_t index = gap; index < count; ++index) {
            double const number = at[index];
            std::size_t place = index;
            for (; place >= gap && at[place - gap] > number; place -= gap) {
                at[place] = at[place - gap];
            }
            at[place] = number;
        }
    }
}

double quantile(Vector<double> const& sorted, double p) {
    double const place = p * static_cast<double>(sorted.size() - 1);
    auto const below = static_cast<std::size_t>(place);
    double const at = sorted.data()[below];
    double const next = below + 1 == sorted.size() ? at : sorted.data()[below + 1];
    return at + (place - static_cast<double>(below)) * (next - at);
}

Band band_of(Vector<double> numbers) {
    sort(numbers);
    return {quantile(numbers, 0.1), quantile(numbers, 0.5), quantile(numbers, 0.9)};
}

SoftmaxFigures means_of(SoftmaxFigures const& sums, std::size_t rows) {
    auto const count = static_cast<double>(rows);
    return {sums.peak / count, sums.jacobian / count, sums.saturated / count};
}

Problem find_length_problem(char const* name, std::size_t length, std::size_t expected) {
    return problem_unless(length == expected, name, {"has length ", length}, {"there are ", expected, " widths"});
}

} // namespace

Problem find_problem(StatisticsSettings const& settings, std::uint32_t first_seed, std::size_t count) {
    std::size_t const n = settings.tokens.size();
    Requirements requirements;
    requirements.require(n >= 1 && n <= maximum_sampled_tokens, "tokens", {"holds ", n, " tokens"},
                         {"must hold 1 to ", maximum_sampled_tokens});
    requirements.require_between(1, maximum_width, "d_model", settings.d_model);
    requirements.require_between(1, maximum_width, "largest_d_k", settings.largest_d_k);
    requirements.require_between(1, maximum_seeds, "count", count);
    requirements.require(count - 1 <= std::numeric_limits<std::uint32_t>::max() - first_seed, "first_seed",
                         {"is ", first_seed}, {"there are not ", count, " seeds from there on"});
    return requirements.first_problem();
}

Sample sample(StatisticsSettings const& settings, std::uint32_t first_seed, std::size_t count,
              std::vector<WidthSums> before) {
    throw_if_problem([&] { return find_problem(settings, first_seed, count); });
    throw_if_problem([&] { return find_length_problem("before", before.size(), settings.largest_d_k); });
    Sample sample{make_matrix<double>(count, settings.largest_d_k), std::move(before)};
    for (std::size_t index = 0; index < count; ++index) {
        sample_seed(settings, first_seed + static_cast<std::uint32_t>(index), row_of(sample.spread, index),
                    sample.sums);
    }
    return sample;
}

Sample sample(StatisticsSettings const& settings, std::uint32_t first_seed, std::size_t count, Threads const& threads) {
    if (threads.count() == 1) {
        return sample(settings, first_seed, count);
    }
    throw_if_problem([&] { return find_problem(settings, first_seed, count); });
    std::size_t const widths = settings.largest_d_k;
    Sample sample{make_matrix<double>(count, widths), std::vector<WidthSums>(widths)};
    // Sums of the same bits take the same numbers in the same order. So seeds write down what they would add, a few of
    // them at a time, and one after the other is added.
    std::size_t const seeds_at_once = 8 * threads.count();
    for (std::size_t first = 0; first < count; first += seeds_at_once) {
        std::size_t const seeds = std::min(seeds_at_once, count - first);
        std::vector<std::vector<SeedSums>> of_seeds(seeds);
        threads.for_each(seeds, [&](std::size_t index, std::size_t /*thread*/) {
            of_seeds[index].resize(widths);
            sample_seed(settings, first_seed + static_cast<std::uint32_t>(first + index),
                        row_of(sample.spread, first + index), of_seeds[index]);
        });
        for (std::vector<SeedSums> const& of_seed : of_seeds) {
            for (std::size_t width = 0; width < widths; ++width) {
                add(sample.sums[width], of_seed[width]);
            }
        }
    }
    return sample;
}

Sample sample(StatisticsSettings const& settings, std::uint32_t first_seed, std::size_t count) {
    return sample(settings, first_seed, count, std::vector<WidthSums>(settings.largest_d_k));
}

WidthSummary summarise(StatisticsSettings const& settings, Matrix<double> const& spread,
                       std::vector<WidthSums> const& sums, std::size_t d_k) {
    std::size_t const widths = settings.largest_d_k;
    std::size_t const seeds = spread.shape(0);
    throw_if_problem([&] { return find_length_problem("sums", sums.size(), widths); });
    throw_if_problem([&] { return find_length_problem("a row of spread", spread.shape(1), widths); });
    throw_if_problem([&] {
        Requirements requirements;
        requirements.require(seeds >= 1, "spread", {"has no rows"}, {"there must be at least one seed"});
        requirements.require_between(1, widths, "d_k", d_k);
        return requirements.first_problem();
    });

    std::size_t const rows = seeds * settings.tokens.size();
    std::size_t const cells = rows * settings.tokens.size();
    Vector<double> spreads = make_vector<double>(seeds);
    for (std::size_t seed = 0; seed < seeds; ++seed) {
        spreads.data()[seed] = row_of(spread, seed)[d_k - 1];
    }
    Band const band = band_of(std::move(spreads));
    double const root = sqrt_of(d_k);
    WidthSums const& at = sums[d_k - 1];
    return {{root, band, means_of(at.unscaled, rows)},
            {1, {band.low / root, band.median / root, band.high / root}, means_of(at.scaled, rows)},
            variance(at.q, rows * d_k),
            variance(at.k, rows * d_k),
            variance(at.product, cells * d_k),
            variance(at.score, cells)};
}

} // namespace attention
