#include "statistics.hpp"

#include <algorithm>
#include <cstring>

#include "metrics.hpp"
#include "random.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

StatisticsSettings settings_up_to(std::size_t largest_d_k) {
    StatisticsSettings settings;
    settings.tokens = {"some", "words", "to", "count"};
    settings.d_model = 9;
    settings.largest_d_k = largest_d_k;
    return settings;
}

Lesson lesson_of(StatisticsSettings const& settings, std::uint32_t seed, std::size_t d_k, Divisor divisor) {
    LessonState state;
    state.tokens = settings.tokens;
    state.d_model = settings.d_model;
    state.d_k = d_k;
    state.seed = seed;
    state.divisor = divisor;
    return lesson(state);
}

/// The figures of lessons, row by row.
struct SlowFigures {
    double peak = 0;
    double jacobian = 0;
    double saturated = 0;

    void add(Lesson const& lesson) {
        for (std::size_t i = 0; i < lesson.weights.shape(0); ++i) {
            peak += lesson.rows.peak(i);
            jacobian += lesson.rows.jacobian(i);
            saturated += lesson.rows.state[i] == SoftmaxState::saturated ? 1 : 0;
        }
    }
};

void require_figures(SoftmaxFigures const& actual, SlowFigures const& sums, double rows) {
    CHECK(actual.peak == Approx(sums.peak / rows).epsilon(1e-12));
    CHECK(actual.jacobian == Approx(sums.jacobian / rows).epsilon(1e-12));
    CHECK(actual.saturated == sums.saturated / rows);
}

/// The population variance, from the mean of all numbers.
double variance_of(std::vector<double> const& numbers) {
    auto const count = static_cast<double>(numbers.size());
    double mean = 0;
    for (double const number : numbers) {
        mean += number / count;
    }
    double sum = 0;
    for (double const number : numbers) {
        sum += (number - mean) * (number - mean);
    }
    return sum / count;
}

WidthSummary summary_at(StatisticsSettings const& settings, Sample const& samples, std::size_t d_k) {
    return summarise(settings, samples.spread, samples.sums, d_k);
}

/// The band of one column of spreads.
Band band_of(std::vector<double> const& spreads) {
    Matrix<double> column = make_matrix<double>(spreads.size(), 1);
    std::copy(spreads.begin(), spreads.end(), column.begin());
    return summarise(settings_up_to(1), column, std::vector<WidthSums>(1), 1).unscaled.spread;
}

void require_band(Band const& actual, double low, double median, double high) {
    CHECK(actual.low == Approx(low).epsilon(1e-15));
    CHECK(actual.median == Approx(median).epsilon(1e-15));
    CHECK(actual.high == Approx(high).epsilon(1e-15));
}

} // namespace

TEST_CASE("samples are the lessons' own numbers, seed by seed and width by width") {
    StatisticsSettings const settings = settings_up_to(40);
    std::uint32_t const first_seed = 11;
    std::size_t const count = 5;
    Sample const samples = sample(settings, first_seed, count);
    REQUIRE(samples.sums.size() == 40);
    REQUIRE(shape_text(samples.spread) == "(5, 40)");
    for (std::size_t const d_k : std::initializer_list<std::size_t>{1, 2, 7, 40}) {
        CAPTURE(d_k);
        WidthSummary const summary = summary_at(settings, samples, d_k);
        SlowFigures unscaled_sums;
        SlowFigures scaled_sums;
        std::vector<double> q;
        std::vector<double> k;
        std::vector<double> products;
        std::vector<double> scores;
        for (std::uint32_t seed = 0; seed < count; ++seed) {
            Lesson const unscaled = lesson_of(settings, first_seed + seed, d_k, Divisor::none);
            Lesson const scaled = lesson_of(settings, first_seed + seed, d_k, Divisor::sqrt);
            CHECK(samples.spread(seed, d_k - 1) == Approx(unscaled.spread).epsilon(1e-12));
            CHECK(samples.spread(seed, d_k - 1) / std::sqrt(static_cast<double>(d_k)) ==
                  Approx(scaled.spread).epsilon(1e-12));
            unscaled_sums.add(unscaled);
            scaled_sums.add(scaled);
            q.insert(q.end(), unscaled.Q.begin(), unscaled.Q.end());
            k.insert(k.end(), unscaled.K.begin(), unscaled.K.end());
            scores.insert(scores.end(), unscaled.scores.begin(), unscaled.scores.end());
            for (std::size_t i = 0; i < 4; ++i) {
                for (std::size_t j = 0; j < 4; ++j) {
                    for (std::size_t c = 0; c < d_k; ++c) {
                        products.push_back(unscaled.Q(i, c) * unscaled.K(j, c));
                    }
                }
            }
        }
        require_figures(summary.unscaled.rows, unscaled_sums, 4 * count);
        require_figures(summary.scaled.rows, scaled_sums, 4 * count);
        CHECK(summary.q_variance == Approx(variance_of(q)).epsilon(1e-12));
        CHECK(summary.k_variance == Approx(variance_of(k)).epsilon(1e-12));
        CHECK(summary.product_variance == Approx(variance_of(products)).epsilon(1e-12));
        CHECK(summary.score_variance == Approx(variance_of(scores)).epsilon(1e-12));
    }
}

TEST_CASE("slices joined are one run, bit for bit") {
    StatisticsSettings const settings = settings_up_to(3);
    Sample const at_once = sample(settings, 100, 7);
    Sample const first = sample(settings, 100, 3);
    Sample const second = sample(settings, 103, 4, first.sums);
    for (std::size_t width = 0; width < 3; ++width) {
        CHECK(std::memcmp(&second.sums[width], &at_once.sums[width], sizeof(WidthSums)) == 0);
        for (std::size_t seed = 0; seed < 7; ++seed) {
            CHECK(at_once.spread(seed, width) ==
                  (seed < 3 ? first.spread(seed, width) : second.spread(seed - 3, width)));
        }
    }
}

TEST_CASE("further widths change nothing at the others") {
    Sample const few = sample(settings_up_to(16), 5, 3);
    Sample const many = sample(settings_up_to(20), 5, 3);
    CHECK(few.spread(2, 3) == many.spread(2, 3));
    CHECK(few.spread(2, 15) == many.spread(2, 15));
    CHECK(std::memcmp(few.sums.data(), many.sums.data(), 16 * sizeof(WidthSums)) == 0);
}

TEST_CASE("quantiles lie between two places where they must, as NumPy's do") {
    require_band(band_of({3.25, -1.5, 8.0, 2.75, 0.5, 7.125, 4.0}), -0.3, 3.25, 7.475);
    require_band(band_of({2.0, 9.5, 4.25, 4.25, -3.0, 11.0, 0.125, 6.5}), -0.8125, 4.25, 9.95);
    require_band(band_of({5, 1}), 1.4, 3, 4.6);
    require_band(band_of({2.5}), 2.5, 2.5, 2.5);
    require_band(band_of({7, 7, 7, 7}), 7, 7, 7);
    std::vector<double> falling;
    for (int number = 1000; number >= 0; --number) {
        falling.push_back(number);
    }
    require_band(band_of(falling), 100, 500, 900);
}

TEST_CASE("quantiles are those of the numbers sorted, whatever their order") {
    for (std::size_t const count : {2u, 3u, 10u, 11u, 57u, 1024u, 10000u}) {
        CAPTURE(count);
        RandomStream stream(count);
        std::vector<double> numbers;
        for (std::size_t index = 0; index < count; ++index) {
            numbers.push_back(std::floor(64 * stream.next_uniform())); // many are alike
        }
        Band const band = band_of(numbers);
        std::sort(numbers.begin(), numbers.end());
        auto const at = [&](double p) {
            double const place = p * static_cast<double>(count - 1);
            double const below = numbers[static_cast<std::size_t>(std::floor(place))];
            double const above = numbers[static_cast<std::size_t>(std::ceil(place))];
            return below + (place - std::floor(place)) * (above - below);
        };
        require_band(band, at(0.1), at(0.5), at(0.9));
    }
}

TEST_CASE("the law: spread grows with sqrt(d_k), and divided by it stays at 1") {
    StatisticsSettings const settings;
    REQUIRE(settings.largest_d_k == 64);
    Sample const samples = sample(settings, 0, 400);
    for (std::size_t const width : std::initializer_list<std::size_t>{1, 4, 16, 64}) {
        auto const d_k = static_cast<double>(width);
        CAPTURE(d_k);
        WidthSummary const summary = summary_at(settings, samples, width);
        // The median of a seed is a little less: its scores share queries and keys, and few wide ones outweigh many.
        CHECK(summary.unscaled.spread.median == Approx(std::sqrt(d_k)).epsilon(0.2));
        CHECK(summary.scaled.spread.median == Approx(1).epsilon(0.2));
        CHECK(summary.unscaled.expected_spread == std::sqrt(d_k));
        CHECK(summary.scaled.expected_spread == 1);
        CHECK(summary.unscaled.spread.low < summary.unscaled.spread.median);
        CHECK(summary.unscaled.spread.median < summary.unscaled.spread.high);
        CHECK(summary.q_variance == Approx(1).epsilon(0.06));
        CHECK(summary.k_variance == Approx(1).epsilon(0.06));
        CHECK(summary.product_variance == Approx(1).epsilon(0.06));
        CHECK(summary.score_variance == Approx(d_k).epsilon(0.06));
    }
    WidthSummary const wide = summary_at(settings, samples, 64);
    CHECK(wide.unscaled.rows.peak > 0.85);
    CHECK(wide.unscaled.rows.saturated > 0.5);
    CHECK(wide.unscaled.rows.jacobian < 0.5 * wide.scaled.rows.jacobian);
    CHECK(wide.scaled.rows.peak < 0.5);
    CHECK(wide.scaled.rows.saturated < 0.001);
    WidthSummary const narrow = summary_at(settings, samples, 1);
    CHECK(narrow.unscaled.rows.peak == narrow.scaled.rows.peak);
}

TEST_CASE("a single token, the last seed and the greatest width are sampled like any other") {
    StatisticsSettings settings = settings_up_to(512);
    settings.tokens = {"alone"};
    WidthSummary const summary = summary_at(settings, sample(settings, 4294967295u, 1), 512);
    CHECK(summary.unscaled.spread.median == 0);
    CHECK(summary.unscaled.rows.peak == 1);
    CHECK(summary.unscaled.rows.jacobian == 0);
    CHECK(summary.unscaled.rows.saturated == 1);
    CHECK(std::isfinite(summary.score_variance));
}

TEST_CASE("a seed of the most tokens has finite figures") {
    StatisticsSettings settings = settings_up_to(64);
    settings.tokens.clear();
    for (int token = 0; token < 128; ++token) {
        settings.tokens.push_back("token " + std::to_string(token));
    }
    WidthSummary const summary = summary_at(settings, sample(settings, 1, 1), 64);
    Lesson const expected = lesson_of(settings, 1, 64, Divisor::none);
    CHECK(summary.unscaled.spread.median == Approx(expected.spread).epsilon(1e-12));
    CHECK(std::isfinite(summary.unscaled.rows.jacobian));
}

TEST_CASE("settings that cannot be sampled are refused in one sentence") {
    StatisticsSettings settings = settings_up_to(5);
    std::uint32_t first_seed = 0;
    std::size_t count = 1;
    auto const sentence = [&] {
        std::string const found = sentence_of(find_problem(settings, first_seed, count));
        CHECK(thrown_by([&] { sample(settings, first_seed, count); }) == found);
        return found;
    };
    CHECK(sentence() == "");
    count = 0;
    CHECK(sentence() == "count is 0, but must be a whole number from 1 to 10000");
    count = 10001;
    CHECK(sentence() == "count is 10001, but must be a whole number from 1 to 10000");
    count = 2;
    first_seed = 4294967295u;
    CHECK(sentence() == "first_seed is 4294967295, but there are not 2 seeds from there on");
    first_seed = 0;
    settings.largest_d_k = 0;
    CHECK(sentence() == "largest_d_k is 0, but must be a whole number from 1 to 512");
    settings.largest_d_k = 513;
    CHECK(sentence() == "largest_d_k is 513, but must be a whole number from 1 to 512");
    settings.largest_d_k = 4;
    settings.d_model = 0;
    CHECK(sentence() == "d_model is 0, but must be a whole number from 1 to 512");
    settings.d_model = 4;
    settings.tokens.assign(129, "word");
    CHECK(sentence() == "tokens holds 129 tokens, but must hold 1 to 128");
    settings.tokens.clear();
    CHECK(sentence() == "tokens holds 0 tokens, but must hold 1 to 128");
}

TEST_CASE("samples of other widths are refused, and so are none") {
    StatisticsSettings const settings = settings_up_to(2);
    std::vector<WidthSums> const three(3);
    std::vector<WidthSums> const two(2);
    CHECK(thrown_by([&] { sample(settings, 0, 1, three); }) == "before has length 3, but there are 2 widths");
    CHECK(thrown_by([&] { summarise(settings, make_matrix<double>(4, 2), three, 1); }) ==
          "sums has length 3, but there are 2 widths");
    CHECK(thrown_by([&] { summarise(settings, make_matrix<double>(4, 3), two, 1); }) ==
          "a row of spread has length 3, but there are 2 widths");
    CHECK(thrown_by([&] { summarise(settings, make_matrix<double>(0, 2), two, 1); }) ==
          "spread has no rows, but there must be at least one seed");
    for (std::size_t const d_k : std::initializer_list<std::size_t>{0, 3}) {
        CHECK(thrown_by([&] { summarise(settings, make_matrix<double>(4, 2), two, d_k); }) ==
              "d_k is " + std::to_string(d_k) + ", but must be a whole number from 1 to 2");
    }
}
