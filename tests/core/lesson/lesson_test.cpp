#include "lesson.hpp"

#include <algorithm>

#include "attention.hpp"
#include "mask.hpp"
#include "references.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

LessonState state_from(nlohmann::json const& json) {
    LessonState state;
    state.preset = parse_preset(json.at("preset"));
    state.tokens = json.at("tokens").get<std::vector<std::string>>();
    state.context = json.at("context").get<std::vector<std::string>>();
    state.d_model = json.at("dModel");
    state.d_k = json.at("dK");
    state.d_v = json.at("dV");
    state.divisor = parse_divisor(json.at("divisor"));
    state.mask = parse_mask(json.at("mask"));
    state.window = json.at("window");
    state.padding = json.at("padding");
    state.projections = parse_projections(json.at("projections"));
    state.softmax_axis = parse_softmax_axis(json.at("softmaxAxis"));
    state.softmax = parse_softmax(json.at("softmax"));
    state.blend = parse_blend(json.at("blend"));
    state.dropout = json.at("dropout");
    state.row = json.at("row");
    state.seed = json.at("seed");
    return state;
}

/// Compares shape, corners and checksum; corners bit for bit where `is_exact`.
void require_summary(Matrix<double> const& matrix, nlohmann::json const& summary, bool is_exact) {
    CHECK(matrix.shape(0) == summary.at("shape").at(0));
    CHECK(matrix.shape(1) == summary.at("shape").at(1));
    std::size_t const last_row = matrix.shape(0) - 1;
    std::size_t const last_column = matrix.shape(1) - 1;
    Vector<double> const corners = {matrix(0, 0), matrix(0, last_column), matrix(last_row, 0),
                                    matrix(last_row, last_column)};
    require_close(corners, vector_from(summary.at("corners")), is_exact ? 0 : 1e-13, is_exact ? 0 : 1e-13);
    double checksum = 0;
    double size = 0;
    for (std::size_t i = 0; i < matrix.shape(0); ++i) {
        for (std::size_t j = 0; j < matrix.shape(1); ++j) {
            double const term = matrix(i, j) * static_cast<double>((i + 1) * (2 * j + 1));
            checksum += term;
            size += std::fabs(term);
        }
    }
    CHECK(is_close(checksum, summary.at("checksum").get<double>(), 1e-13 * size, 0));
}

Lesson default_lesson(std::uint32_t seed, std::size_t d_k, Divisor divisor) {
    LessonState state;
    state.seed = seed;
    state.d_k = d_k;
    state.divisor = divisor;
    return lesson(state);
}

/// What the lesson claims about its default sentence, at every width that the slider offers.
/// @return the first claim that a seed's numbers contradict, or "" for a seed that may be the default
std::string contradicted_claim(std::uint32_t seed) {
    std::size_t const row = LessonState().row;
    double largest_raw_spread = 0;
    for (std::size_t d_k = 2; d_k <= 64; ++d_k) {
        std::string const where = " at d_k = " + std::to_string(d_k);
        Lesson const scaled = default_lesson(seed, d_k, Divisor::sqrt);
        if (!(scaled.spread >= 0.75 && scaled.spread <= 1.33)) {
            return "divided by sqrt(d_k), scores spread by about 1" + where;
        }
        for (double const peak : scaled.rows.peak) {
            if (!(peak <= 0.80)) {
                return "divided by sqrt(d_k), no key takes all" + where;
            }
        }
        Lesson const raw = default_lesson(seed, d_k, Divisor::none);
        if (d_k >= 8 && !(scaled.spread >= 0.85 && scaled.spread <= 1.15)) {
            return "without a divisor scores spread by sqrt(d_k), give or take 15 %" + where;
        }
        largest_raw_spread = std::max(largest_raw_spread, raw.spread);
        if (!(raw.spread >= 0.98 * largest_raw_spread)) {
            return "without a divisor scores spread ever further" + where;
        }
        if (d_k == 2 && raw.rows.state[row] != SoftmaxState::diffuse) {
            return "without a divisor the default row starts diffuse" + where;
        }
        if (d_k >= 32 && !(raw.rows.peak(row) >= 0.95)) {
            return "without a divisor the default row is one-hot from 32 on" + where;
        }
        if (d_k == 64) {
            if (!(raw.rows.peak(row) >= 0.99)) {
                return "without a divisor the default row ends with a single key" + where;
            }
            for (SoftmaxState const state : raw.rows.state) {
                if (state != SoftmaxState::saturated) {
                    return "without a divisor every row ends one-hot" + where;
                }
            }
        }
    }
    return "";
}

} // namespace

TEST_CASE("the default seed's sentence contradicts no claim at any d_k from 2 to 64") {
    CHECK(contradicted_claim(default_seed) == "");
}

TEST_CASE("the vetting tells seeds apart, by every width") {
    CHECK(contradicted_claim(default_seed + 1) != "");
    // Its scores spread ever further up to d_k = 52, and then draw together while theory goes on.
    CHECK(contradicted_claim(2958) == "without a divisor scores spread by sqrt(d_k), give or take 15 % at d_k = 11");
}

// About one seed in 10⁸ contradicts no claim, so the test gives the search a start that is near one. From there on it
// finds the next ones: most seeds go at d_k = 2.
TEST_CASE("a search finds a further seed that contradicts no claim") {
    std::uint32_t seed = 168204200;
    while (contradicted_claim(seed) != "") {
        ++seed;
    }
    CHECK(seed == 168204277);
}

TEST_CASE("whole lessons agree with a second implementation") {
    std::size_t lessons = 0;
    nlohmann::json const file = read_reference("lesson_reference.json");
    for (nlohmann::json const& reference : file.at("lessons")) {
        INFO(reference.at("name").get<std::string>());
        ++lessons;
        Lesson const actual = lesson(state_from(reference.at("state")));
        // The random numbers and what they are made into need roundings that every machine does alike.
        require_summary(actual.X, reference.at("X"), true);
        if (reference.contains("context")) {
            require_summary(actual.context, reference.at("context"), true);
        }
        require_summary(actual.W_q, reference.at("Wq"), true);
        require_summary(actual.W_k, reference.at("Wk"), true);
        require_summary(actual.W_v, reference.at("Wv"), true);
        require_summary(actual.Q, reference.at("Q"), false);
        require_summary(actual.K, reference.at("K"), false);
        require_summary(actual.V, reference.at("V"), false);
        require_close(actual.scores, matrix_from(reference.at("scores")), 1e-12, 1e-13);
        require_close(actual.masked, matrix_from(reference.at("masked")), 1e-12, 1e-13);
        require_close_around_nan(actual.weights, matrix_from(reference.at("weights")), 0, 1e-12);
        require_close_around_nan(actual.output, matrix_from(reference.at("output")), 1e-13, 1e-12);
        CHECK(is_close(actual.spread, reference.at("spread").get<double>(), 0, 1e-13));
        CHECK(actual.expected_spread.has_value() == !reference.at("expectedSpread").is_null());
        if (actual.expected_spread) {
            CHECK(is_close(*actual.expected_spread, reference.at("expectedSpread").get<double>(), 0, 1e-15));
        }
        nlohmann::json const& rows = reference.at("rows");
        require_close_around_nan(actual.rows.peak, vector_from(rows.at("peak")), 0, 1e-12);
        require_close_around_nan(actual.rows.entropy, vector_from(rows.at("entropy")), 1e-13, 1e-12);
        require_close(actual.rows.maximum_entropy, vector_from(rows.at("maximumEntropy")), 0, 1e-15);
        require_close_around_nan(actual.rows.jacobian, vector_from(rows.at("jacobian")), 1e-13, 1e-12);
        require_close_around_nan(actual.rows.row_sum, vector_from(rows.at("rowSum")), 0, 1e-13);
        for (std::size_t i = 0; i < actual.rows.state.size(); ++i) {
            CHECK(name_of(actual.rows.state[i]) == rows.at("state").at(i).get<std::string>());
            CHECK(name_of(actual.rows.gradient[i]) == rows.at("gradient").at(i).get<std::string>());
        }
    }
    REQUIRE(lessons == 23);
}

TEST_CASE("the four tokens' numbers can be checked by hand") {
    Lesson const four = lesson(four_token_state());
    require_equal(four.X, Matrix<double>{{1, 0}, {0, 1}, {1, 1}, {1, -1}});
    require_equal(four.Q, Matrix<double>{{1, 1}, {0, 1}, {1, 2}, {1, 0}});
    require_equal(four.K, Matrix<double>{{1, 0}, {1, 1}, {2, 1}, {0, -1}});
    require_equal(four.V, Matrix<double>{{0, 2}, {1, 0}, {1, 2}, {-1, 2}});
    require_equal(four.scores, Matrix<double>{{1, 2, 3, -1}, {0, 1, 1, -1}, {1, 3, 4, -2}, {1, 1, 2, 0}});
    CHECK(four.divisor == std::sqrt(2.0));
    CHECK(four.scaled(0, 2) == 3 / std::sqrt(2.0));
    require_equal(four.visible, Visibility{{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 1, 1, 0}, {1, 1, 1, 1}});
    require_equal(only_row(four.masked, 0), Matrix<double>{{1 / std::sqrt(2.0), -infinity, -infinity, -infinity}});
    require_equal(only_row(four.weights, 0), Matrix<double>{{1, 0, 0, 0}});
    // 1 / (1 + exp(1 / sqrt 2)) = 0.3302…
    require_close(only_row(four.weights, 1), Matrix<double>{{0.3302384506733431, 0.6697615493266569, 0, 0}}, 0, 1e-14);
    require_equal(only_row(four.output, 0), Matrix<double>{{0, 2}});
    require_close(only_row(four.output, 1), Matrix<double>{{0.6697615493266569, 0.6604769013466862}}, 0, 1e-14);
}

TEST_CASE("a table of scores is not symmetric, so that a mixed-up axis shows") {
    for (LessonState const& state : {LessonState(), four_token_state()}) {
        Lesson const actual = lesson(state);
        CHECK(difference(actual.scores, transposed(actual.scores), 0.1) != "");
    }
}

TEST_CASE("a wider d_k adds dimensions and leaves the first ones bit for bit") {
    LessonState state;
    state.d_v = 3;
    state.d_k = 5;
    Lesson const narrow = lesson(state);
    state.d_k = 64;
    Lesson const wide = lesson(state);
    require_equal(wide.X, narrow.X);
    require_equal(leading_block(wide.W_q, 16, 5), narrow.W_q);
    require_equal(leading_block(wide.W_k, 16, 5), narrow.W_k);
    require_equal(leading_block(wide.Q, 6, 5), narrow.Q);
    require_equal(leading_block(wide.K, 6, 5), narrow.K);
    require_equal(leading_block(wide.worksheet.products, 6, 5), narrow.worksheet.products);
    require_equal(wide.W_v, narrow.W_v);
    require_equal(wide.V, narrow.V);
}

TEST_CASE("editing one word moves one row of X") {
    LessonState state;
    Lesson const before = lesson(state);
    state.tokens[3] = "without";
    Lesson const after = lesson(state);
    for (std::size_t i = 0; i < 6; ++i) {
        CAPTURE(i);
        CHECK((difference(only_row(after.X, i), only_row(before.X, i)) == "") == (i != 3));
    }
    require_equal(after.W_q, before.W_q);
    require_equal(after.W_k, before.W_k);
    require_equal(after.W_v, before.W_v);
}

TEST_CASE("under the causal mask the last token changes no earlier output, and without the mask it does") {
    for (LessonMask const mask : {LessonMask::causal, LessonMask::none, LessonMask::late}) {
        LessonState state;
        state.d_v = 4;
        state.mask = mask;
        Lesson const before = lesson(state);
        state.tokens.back() = "leap";
        Lesson const after = lesson(state);
        for (std::size_t i = 0; i < 6; ++i) {
            CAPTURE(static_cast<int>(mask), i);
            bool const is_unchanged = difference(only_row(after.output, i), only_row(before.output, i)) == "";
            CHECK(is_unchanged == (mask == LessonMask::causal && i < 5));
        }
    }
}

TEST_CASE("a causal lesson without its last token gives the same earlier rows") {
    LessonState state;
    state.mask = LessonMask::causal;
    Lesson const whole = lesson(state);
    state.tokens.pop_back();
    Lesson const shorter = lesson(state);
    require_equal(shorter.output, leading_block(whole.output, 5, 16));
    require_equal(shorter.weights, leading_block(whole.weights, 5, 5));
}

TEST_CASE("a late mask clears weights that the softmax has already counted") {
    LessonState state;
    Lesson const unmasked = lesson(state);
    state.mask = LessonMask::late;
    Lesson const late = lesson(state);
    require_equal(late.masked, unmasked.scaled); // nothing is hidden from the softmax
    VisibilityRule rule;
    rule.is_causal = true;
    require_equal(late.visible, visibility(6, 6, rule));
    CHECK(late.spread == unmasked.spread);
    for (std::size_t i = 0; i < 6; ++i) {
        double lost = 0;
        for (std::size_t j = 0; j < 6; ++j) {
            CHECK(late.weights(i, j) == (j <= i ? unmasked.weights(i, j) : 0));
            lost += j <= i ? 0 : unmasked.weights(i, j);
        }
        CHECK(late.rows.row_sum(i) == Approx(1 - lost).epsilon(1e-14));
        CHECK((late.rows.state[i] == SoftmaxState::not_a_distribution) == (i < 5));
    }
    CHECK(late.rows.row_sum(1) < 0.5);
}

TEST_CASE("softmax along the queries makes columns sum to 1 and rows no distribution") {
    LessonState state;
    state.softmax_axis = SoftmaxAxis::queries;
    Lesson const wrong = lesson(state);
    for (std::size_t j = 0; j < 6; ++j) {
        double column_sum = 0;
        for (std::size_t i = 0; i < 6; ++i) {
            column_sum += wrong.weights(i, j);
        }
        CHECK(column_sum == Approx(1).epsilon(1e-14));
        CHECK(wrong.rows.state[j] == SoftmaxState::not_a_distribution);
    }
}

TEST_CASE("the naive softmax agrees with the stable one at the default widths") {
    LessonState state;
    Lesson const stable = lesson(state);
    state.softmax = SoftmaxForm::naive;
    Lesson const naive = lesson(state);
    require_close(naive.weights, stable.weights, 0, 1e-14);
    require_equal(naive.worksheet.subtracted, make_vector<double>(6));
    CHECK(stable.worksheet.subtracted(0) != 0);
}

TEST_CASE("the naive softmax breaks the rows of a lesson whose scores half precision cannot raise e to") {
    LessonState state;
    state.d_k = 64;
    state.divisor = Divisor::none;
    Lesson const stable = lesson(state);
    state.softmax = SoftmaxForm::naive;
    Lesson const naive = lesson(state);
    require_equal(naive.scores, stable.scores);
    CHECK(all_finite(stable.weights));
    for (std::size_t i = 0; i < 6; ++i) {
        bool is_broken = false;
        for (std::size_t j = 0; j < 6; ++j) {
            CHECK(std::isnan(naive.weights(i, j)) == (stable.scores(i, j) > 11.0899));
            is_broken = is_broken || std::isnan(naive.weights(i, j));
        }
        CAPTURE(i);
        CHECK(is_broken == (i != 3 && i != 5));
        CHECK((naive.rows.state[i] == SoftmaxState::not_a_distribution) == is_broken);
        CHECK((naive.rows.gradient[i] == GradientState::undefined) == is_broken);
        CHECK(std::isnan(naive.output(i, 0)) == is_broken);
    }
}

TEST_CASE("blending the embeddings leaves the weights alone and W_v without a part in the output") {
    LessonState state;
    state.d_v = 3;
    state.mask = LessonMask::causal;
    Lesson const values = lesson(state);
    state.blend = Blend::embeddings;
    Lesson const embeddings = lesson(state);
    require_equal(embeddings.weights, values.weights);
    require_equal(embeddings.V, values.V);
    CHECK(shape_text(values.output) == "(6, 3)");
    CHECK(shape_text(embeddings.output) == "(6, 16)");
    CHECK(shape_text(embeddings.worksheet.contributions) == "(6, 16)");
    require_equal(only_row(embeddings.output, 0), only_row(embeddings.X, 0)); // the first token sees itself alone
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t c = 0; c < 16; ++c) {
            double sum = 0;
            for (std::size_t j = 0; j <= i; ++j) {
                sum += embeddings.weights(i, j) * embeddings.X(j, c);
            }
            CHECK(embeddings.output(i, c) == Approx(sum).margin(1e-14));
        }
    }
    state.d_v = 7;
    require_equal(lesson(state).output, embeddings.output);
}

TEST_CASE("without parameters values are the embeddings, and blending either is the same") {
    LessonState state;
    state.projections = ProjectionMode::identity;
    Matrix<double> const values = lesson(state).output;
    state.blend = Blend::embeddings;
    require_equal(lesson(state).output, values);
}

TEST_CASE("a lesson on the tokens' own embeddings is the lesson") {
    for (LessonState const& state : {LessonState(), four_token_state()}) {
        Lesson const usual = lesson(state);
        Lesson const again = lesson_on(usual.X, state);
        require_equal(again.X, usual.X);
        require_equal(again.W_q, usual.W_q);
        require_equal(again.masked, usual.masked);
        require_equal(again.weights, usual.weights);
        require_equal(again.output, usual.output);
        require_equal(again.worksheet.contributions, usual.worksheet.contributions);
    }
}

TEST_CASE("a lesson on embeddings of the caller's own takes nothing from the tokens but their number") {
    LessonState state;
    state.tokens = {"a", "b", "c"};
    state.d_model = 2;
    state.d_k = 4;
    Matrix<double> const X = {{1, 0}, {0, 1}, {2, -3}};
    Lesson const own = lesson_on(X, state);
    require_equal(own.X, X);
    require_equal(only_row(own.Q, 0), only_row(own.W_q, 0)); // the embedding (1, 0) picks the first row of a matrix
    require_equal(only_row(own.K, 1), only_row(own.W_k, 1));
    for (std::size_t c = 0; c < state.d_v; ++c) {
        CHECK(own.V(2, c) == 2 * own.W_v(0, c) - 3 * own.W_v(1, c));
    }
    require_equal(own.W_q, lesson(state).W_q);
    state.tokens = {"d", "e", "f"};
    require_equal(lesson_on(X, state).output, own.output);
    CHECK(difference(lesson(state).output, own.output) != "");
}

TEST_CASE("embeddings of another shape than the state's are refused with both shapes") {
    LessonState state;
    state.tokens = {"a", "b", "c"};
    state.d_model = 5;
    CHECK_THROWS_WITH(lesson_on(make_matrix<double>(4, 5, 1.0), state),
                      "X has shape (4, 5), but the state asks for (T, d_model) = (3, 5)");
    CHECK_THROWS_WITH(lesson_on(make_matrix<double>(2, 5, 1.0), state),
                      "X has shape (2, 5), but the state asks for (T, d_model) = (3, 5)");
    CHECK_THROWS_WITH(lesson_on(make_matrix<double>(3, 4, 1.0), state),
                      "X has shape (3, 4), but the state asks for (T, d_model) = (3, 5)");
    CHECK_NOTHROW(lesson_on(make_matrix<double>(3, 5, 1.0), state));
}

TEST_CASE("one shared matrix makes queries, keys and values one, and scores symmetric") {
    LessonState state;
    Lesson const separate = lesson(state);
    state.projections = ProjectionMode::shared;
    Lesson const shared = lesson(state);
    require_equal(shared.W_q, separate.W_q);
    require_equal(shared.W_k, separate.W_q);
    require_equal(shared.W_v, separate.W_q);
    require_equal(shared.K, shared.Q);
    require_equal(shared.V, shared.Q);
    require_equal(shared.scores, transposed(shared.scores));
}

TEST_CASE("without parameters queries, keys and values are the embeddings") {
    LessonState state;
    state.projections = ProjectionMode::identity;
    Lesson const identity = lesson(state);
    require_equal(identity.Q, identity.X);
    require_equal(identity.K, identity.X);
    require_equal(identity.V, identity.X);
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK(identity.scores(i, i) == Approx(16).epsilon(1e-14)); // an embedding has mean square 1
    }
}

TEST_CASE("theory has a spread to expect for random, separate weights alone") {
    LessonState state;
    state.d_k = 25;
    CHECK(lesson(state).expected_spread == 1);
    state.divisor = Divisor::none;
    CHECK(lesson(state).expected_spread == 5);
    state.divisor = Divisor::dk;
    CHECK(lesson(state).expected_spread == 0.2);
    state.mask = LessonMask::causal;
    CHECK(lesson(state).expected_spread == 0.2);
    state.d_v = 25;
    state.projections = ProjectionMode::shared;
    CHECK_FALSE(lesson(state).expected_spread);
    state.d_k = state.d_v = 16;
    state.projections = ProjectionMode::identity;
    CHECK_FALSE(lesson(state).expected_spread);
    CHECK_FALSE(lesson(four_token_state()).expected_spread);
    // One visible score has no spread.
    state = LessonState();
    state.tokens = {"one"};
    state.row = 0;
    CHECK_FALSE(lesson(state).expected_spread);
    state.tokens = {"one", "two"};
    state.padding = 1;
    CHECK(lesson(state).expected_spread == 1);
    state.mask = LessonMask::window;
    state.window = 1;
    CHECK_FALSE(lesson(state).expected_spread);
}

TEST_CASE("a divisor of 1, sqrt(d_k) or d_k divides every score") {
    for (std::size_t const d_k : {std::size_t(1), std::size_t(7), std::size_t(64)}) {
        Lesson const raw = default_lesson(1, d_k, Divisor::none);
        Lesson const root = default_lesson(1, d_k, Divisor::sqrt);
        Lesson const whole = default_lesson(1, d_k, Divisor::dk);
        double const width = static_cast<double>(d_k);
        CHECK(raw.divisor == 1);
        CHECK(root.divisor == std::sqrt(width));
        CHECK(whole.divisor == width);
        require_equal(raw.scaled, raw.scores);
        for (std::size_t i = 0; i < 6; ++i) {
            for (std::size_t j = 0; j < 6; ++j) {
                CHECK(root.scaled(i, j) == raw.scores(i, j) / std::sqrt(width));
                CHECK(whole.scaled(i, j) == raw.scores(i, j) / width);
            }
        }
    }
}

TEST_CASE("a lesson without mistakes is the attention that the core offers on its own") {
    LessonState state;
    state.d_v = 5;
    state.mask = LessonMask::causal;
    Lesson const actual = lesson(state);
    AttentionOptions<double> options;
    options.rule.is_causal = true;
    Attention<double> const expected = scaled_dot_product_attention(actual.Q, actual.K, actual.V, options);
    require_close(actual.weights, expected.weights, 0, 1e-13);
    require_close(actual.output, expected.output, 1e-14, 1e-13);
}

TEST_CASE("a lesson of one token gives it weight 1 and its value") {
    LessonState state;
    state.tokens = {"alone"};
    state.row = 0;
    for (LessonMask const mask : {LessonMask::none, LessonMask::causal, LessonMask::late}) {
        state.mask = mask;
        Lesson const alone = lesson(state);
        require_equal(alone.weights, Matrix<double>{{1}});
        require_equal(alone.output, alone.V);
        CHECK(alone.spread == 0);
        CHECK(alone.rows.gradient[0] == GradientState::no_choice);
    }
}

TEST_CASE("a token repeated to the limit shares its weight evenly") {
    LessonState state;
    state.d_v = 2;
    state.tokens.assign(maximum_tokens, "again");
    state.row = maximum_tokens - 1;
    Lesson const repeated = lesson(state);
    require_equal(repeated.weights, make_matrix<double>(2048, 2048, 1.0 / 2048));
    CHECK(repeated.rows.entropy(7) == Approx(std::log(2048.0)).epsilon(1e-13));
}

TEST_CASE("64 tokens of the greatest width give finite numbers and rows that sum to 1") {
    LessonState state;
    state.tokens.clear();
    for (int token = 0; token < 64; ++token) {
        state.tokens.push_back("token " + std::to_string(token % 50));
    }
    state.d_model = 40;
    state.d_k = maximum_width;
    state.d_v = 1;
    state.divisor = Divisor::none;
    Lesson const wide = lesson(state);
    CHECK(all_finite(wide.weights));
    CHECK(all_finite(wide.output));
    CHECK(wide.spread == Approx(*wide.expected_spread).epsilon(0.25));
    for (double const row_sum : wide.rows.row_sum) {
        CHECK(std::fabs(row_sum - 1) <= 1e-12);
    }
}
