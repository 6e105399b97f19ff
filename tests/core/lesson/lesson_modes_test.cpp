// What holds in every mode of a lesson, the mistakes included.
#include "elementary.hpp"
#include "lesson.hpp"

#include "mask.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

/// States that between them take every branch of a lesson.
std::vector<LessonState> states_of_every_mode() {
    std::vector<LessonState> states;
    for (LessonMask const mask : {LessonMask::none, LessonMask::causal, LessonMask::late}) {
        for (SoftmaxAxis const axis : {SoftmaxAxis::keys, SoftmaxAxis::queries}) {
            for (SoftmaxForm const form : {SoftmaxForm::stable, SoftmaxForm::naive}) {
                for (ProjectionMode const mode :
                     {ProjectionMode::separate, ProjectionMode::shared, ProjectionMode::identity}) {
                    LessonState state;
                    state.tokens = {"a", "b", "c", "b", "d"};
                    state.d_model = mode == ProjectionMode::identity ? 6 : 4;
                    state.d_k = 6;
                    state.d_v = mode == ProjectionMode::separate ? 3 : 6;
                    state.mask = mask;
                    state.softmax_axis = axis;
                    state.softmax = form;
                    state.projections = mode;
                    state.divisor = mode == ProjectionMode::shared ? Divisor::dk : Divisor::none;
                    state.row = 2;
                    LessonState four = four_token_state();
                    four.mask = mask;
                    four.softmax_axis = axis;
                    four.softmax = form;
                    four.projections = mode;
                    for (Blend const blend : {Blend::values, Blend::embeddings}) {
                        state.blend = four.blend = blend;
                        states.push_back(state);
                        states.push_back(four);
                    }
                }
            }
        }
    }
    return states;
}

std::string text_of(LessonState const& state) {
    return "preset " + std::to_string(static_cast<int>(state.preset)) + ", mask " +
           std::to_string(static_cast<int>(state.mask)) + ", axis " +
           std::to_string(static_cast<int>(state.softmax_axis)) + ", form " +
           std::to_string(static_cast<int>(state.softmax)) + ", projections " +
           std::to_string(static_cast<int>(state.projections)) + ", blend " +
           std::to_string(static_cast<int>(state.blend));
}

/// What the weights of a state blend.
Matrix<double> const& blended(Lesson const& lesson, LessonState const& state) {
    return state.blend == Blend::embeddings ? lesson.X : lesson.V;
}

/// Calls `check(lesson, state)` for every mode and every row.
template <class Check> void for_every_mode_and_row(Check const& check) {
    std::size_t modes = 0;
    for (LessonState state : states_of_every_mode()) {
        ++modes;
        for (state.row = 0; state.row < state.tokens.size(); ++state.row) {
            INFO(text_of(state) << ", row " << state.row);
            check(lesson(state), state);
        }
    }
    REQUIRE(modes == 144);
}

double row_sum(Matrix<double> const& matrix, std::size_t row) {
    double sum = 0;
    for (std::size_t column = 0; column < matrix.shape(1); ++column) {
        sum += matrix(row, column);
    }
    return sum;
}

} // namespace

TEST_CASE("the worksheet's products add up to the scores") {
    for_every_mode_and_row([](Lesson const& actual, LessonState const& state) {
        Matrix<double> const& products = actual.worksheet.products;
        REQUIRE(shape_text(products) == shape_text(actual.K));
        for (std::size_t j = 0; j < products.shape(0); ++j) {
            CHECK(row_sum(products, j) == actual.scores(state.row, j)); // the same sum in the same order
            CHECK(products(j, 0) == actual.Q(state.row, 0) * actual.K(j, 0));
        }
    });
}

TEST_CASE("the worksheet's shifted scores are the masked ones less what is subtracted") {
    for_every_mode_and_row([](Lesson const& actual, LessonState const& state) {
        for (std::size_t j = 0; j < actual.K.shape(0); ++j) {
            CHECK(actual.worksheet.shifted(j) == actual.masked(state.row, j) - actual.worksheet.subtracted(j));
            // Nothing above 0 can overflow; the naive form subtracts nothing.
            CHECK((state.softmax == SoftmaxForm::naive ? actual.worksheet.subtracted(j) == 0
                                                       : actual.worksheet.shifted(j) <= 0));
        }
    });
}

TEST_CASE("the worksheet's exponentials over their totals are the weights") {
    for_every_mode_and_row([](Lesson const& actual, LessonState const& state) {
        for (std::size_t j = 0; j < actual.K.shape(0); ++j) {
            Worksheet const& sheet = actual.worksheet;
            CHECK(sheet.exponentials(j) == attention::exponential(sheet.shifted(j)));
            double const weight = sheet.exponentials(j) / sheet.totals(j);
            if (actual.visible(state.row, j) != 0) {
                CHECK(weight == actual.weights(state.row, j));
            } else {
                CHECK(actual.weights(state.row, j) == 0);
                CHECK((weight > 0) == (state.mask == LessonMask::late)); // what the late mask throws away
            }
        }
    });
}

TEST_CASE("the worksheet's totals are those of the highlighted row, or of each key's column along the wrong axis") {
    for_every_mode_and_row([](Lesson const& actual, LessonState const& state) {
        std::size_t const n = actual.K.shape(0);
        for (std::size_t j = 0; j < n; ++j) {
            double total = 0;
            double largest = -infinity;
            for (std::size_t step = 0; step < n; ++step) {
                double const masked =
                    state.softmax_axis == SoftmaxAxis::keys ? actual.masked(state.row, step) : actual.masked(step, j);
                largest = std::max(largest, masked);
                total += attention::exponential(masked - actual.worksheet.subtracted(j));
            }
            CHECK(actual.worksheet.totals(j) == total);
            if (state.softmax == SoftmaxForm::stable) {
                CHECK(actual.worksheet.subtracted(j) == largest);
            }
        }
    });
}

TEST_CASE("the worksheet's contributions add up to the output") {
    for_every_mode_and_row([](Lesson const& actual, LessonState const& state) {
        Matrix<double> const contributions = transposed(actual.worksheet.contributions);
        Matrix<double> const& shared = blended(actual, state);
        REQUIRE(shape_text(actual.worksheet.contributions) == shape_text(shared));
        REQUIRE(shape_text(actual.output) == shape_text(shared));
        for (std::size_t c = 0; c < contributions.shape(0); ++c) {
            CHECK(row_sum(contributions, c) == actual.output(state.row, c)); // the same sum in the same order
            CHECK(contributions(c, 0) == actual.weights(state.row, 0) * shared(0, c));
            for (std::size_t j = 0; j < contributions.shape(1); ++j) {
                if (actual.visible(state.row, j) == 0) {
                    CHECK(contributions(c, j) == 0);
                    CHECK_FALSE(std::signbit(contributions(c, j))); // it would be shown as "-0"
                }
            }
        }
    });
}

TEST_CASE("the highlighted row decides the worksheet alone") {
    for (LessonState state : states_of_every_mode()) {
        state.row = 0;
        Lesson const first = lesson(state);
        state.row = 3;
        Lesson const fourth = lesson(state);
        require_equal(fourth.weights, first.weights);
        require_equal(fourth.output, first.output);
        CHECK(difference(fourth.worksheet.products, first.worksheet.products) != "");
    }
}

TEST_CASE("weights are 0 where the picture shows a hidden key, and finite everywhere") {
    for (LessonState const& state : states_of_every_mode()) {
        Lesson const actual = lesson(state);
        INFO(text_of(state));
        for (std::size_t i = 0; i < state.tokens.size(); ++i) {
            for (std::size_t j = 0; j < state.tokens.size(); ++j) {
                bool const is_hidden = state.mask != LessonMask::none && j > i;
                CHECK(actual.visible(i, j) == (is_hidden ? 0 : 1));
                CHECK((actual.weights(i, j) == 0) == is_hidden);
            }
        }
        CHECK(all_finite(actual.weights));
        CHECK(all_finite(actual.output));
    }
}

TEST_CASE("the spread is that of the scores the softmax looks at") {
    for (LessonState const& state : states_of_every_mode()) {
        Lesson const actual = lesson(state);
        Visibility seen = visibility(state.tokens.size(), state.tokens.size());
        if (state.mask == LessonMask::causal) {
            seen = actual.visible;
        }
        INFO(text_of(state));
        CHECK(actual.spread == score_spread(actual.scaled, seen));
        CHECK(actual.spread > 0);
    }
}

TEST_CASE("equal states give equal numbers") {
    for (LessonState const& state : states_of_every_mode()) {
        Lesson const first = lesson(state);
        Lesson const second = lesson(state);
        require_equal(second.X, first.X);
        require_equal(second.weights, first.weights);
        require_equal(second.output, first.output);
        require_equal(second.rows.jacobian, first.rows.jacobian);
    }
}
