// The law behind sqrt(d_k), over many seeds: how the spread of q . k grows with d_k, and what that does to a softmax.
//
// A run over thousands of seeds is taken in slices, so that a page stays responsive: `sample` one after the other, each
// going on from the last one's sums, then `summarise` with all spreads one below the other. Slices give the numbers of
// one run bit for bit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lesson.hpp"
#include "tensor.hpp"
#include "threads.hpp"

namespace attention {

/// Lessons as a `LessonState` describes them, with separate matrices and without a mask; each seed has its own
/// embeddings and matrices. They are sampled at every d_k from 1 up: the seeds' matrices are nested in d_k, so that one
/// pass over their columns serves every width.
struct StatisticsSettings {
    std::vector<std::string> tokens = default_tokens();
    std::size_t d_model = 16;
    std::size_t largest_d_k = 64;
};

constexpr std::size_t maximum_seeds = 10000;        // of one slice, and of a run
constexpr std::size_t maximum_sampled_tokens = 128; // a seed of this many is still a matter of milliseconds

/// Sums of doubles alone, over all that was sampled of a number.
struct Moments {
    double sum = 0;
    double sum_of_squares = 0;
};

/// Figures of the rows of weights: as sums over rows, or as means of them.
struct SoftmaxFigures {
    double peak = 0;      // the largest weight
    double jacobian = 0;  // Frobenius norm of diag(a) - a aᵀ
    double saturated = 0; // how many have a peak of `saturated_from` or above
};

/// What is summed up at one width, over the seeds in order.
struct WidthSums {
    Moments q;       // T d_k entries a seed
    Moments k;       // T d_k
    Moments product; // q_ic k_jc, T² d_k
    Moments score;   // q_i . k_j, T²
    SoftmaxFigures unscaled;
    SoftmaxFigures scaled;
};

struct Sample {
    Matrix<double> spread;       // (count, largest d_k); standard deviation of a seed's T² scores q . k, not divided
    std::vector<WidthSums> sums; // for each d_k from 1; of these seeds and of those before
};

/// Why nothing can be sampled: tokens, widths, count or seeds out of range.
Problem find_problem(StatisticsSettings const& settings, std::uint32_t first_seed, std::size_t count);

/// Samples the seeds from first_seed to first_seed + count - 1.
///
/// @param before  the sums of the slices before; zeros for the first
/// @throws ArgumentError  if there is a problem, or `before` has another length than there are widths
Sample sample(StatisticsSettings const& settings, std::uint32_t first_seed, std::size_t count,
              std::vector<WidthSums> before);

/// Samples the first slice.
Sample sample(StatisticsSettings const& settings, std::uint32_t first_seed, std::size_t count);

/// Samples the first slice, its seeds shared out to threads: the same bits, however many there are.
Sample sample(StatisticsSettings const& settings, std::uint32_t first_seed, std::size_t count, Threads const& threads);

/// Where the middle of many numbers lies. A quantile p of n sorted numbers is the one at place p (n - 1), counted from
/// 0, and between two places linear: Hyndman and Fan 1996, definition 7; NumPy's default.
struct Band {
    double low = 0; // 10 %
    double median = 0;
    double high = 0; // 90 %
};

/// What the scores of one divisor look like at one width.
struct ScoresSummary {
    double expected_spread = 0; // theory: sqrt(d_k) of q . k, 1 of q . k / sqrt(d_k)
    Band spread;                // over the seeds
    SoftmaxFigures rows;        // means over rows
};

struct WidthSummary {
    ScoresSummary unscaled; // of q . k
    ScoresSummary scaled;   // of q . k / sqrt(d_k)
    // Population variances over all that was sampled. Theory: 1, 1, 1, and as d_k products add up, d_k.
    double q_variance = 0;
    double k_variance = 0;
    double product_variance = 0;
    double score_variance = 0;
};

/// What the samples say of one width.
///
/// @param spread (seeds, largest d_k); the slices' spreads one below the other
/// @param sums   the last slice's
/// @throws ArgumentError  if a length does not fit the settings, there is no seed, or d_k was not sampled
WidthSummary summarise(StatisticsSettings const& settings, Matrix<double> const& spread,
                       std::vector<WidthSums> const& sums, std::size_t d_k);

} // namespace attention
