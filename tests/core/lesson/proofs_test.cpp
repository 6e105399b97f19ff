// Every law on a state where it holds and on the mistake that breaks it: a proof that cannot fail proves nothing.
#include "proofs.hpp"

#include <functional>

#include "attention.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

using Change = std::function<void(LessonState&)>;

LessonState changed(Change const& change) {
    LessonState state;
    change(state);
    return state;
}

void no_divisor(LessonState& state) {
    state.divisor = Divisor::none;
}

void divided_by_d_k(LessonState& state) {
    state.divisor = Divisor::dk;
}

void shared(LessonState& state) {
    state.projections = ProjectionMode::shared;
}

void identity(LessonState& state) {
    state.projections = ProjectionMode::identity;
}

void along_queries(LessonState& state) {
    state.softmax_axis = SoftmaxAxis::queries;
}

void causal(LessonState& state) {
    state.mask = LessonMask::causal;
}

void late(LessonState& state) {
    state.mask = LessonMask::late;
}

void embeddings(LessonState& state) {
    state.blend = Blend::embeddings;
}

void narrow_embeddings(LessonState& state) {
    state.blend = Blend::embeddings;
    state.d_v = 5;
}

/// Whose exponentials half precision cannot hold: rows 0, 2, 3 and 5 break.
void overflowing(LessonState& state) {
    state.d_k = state.d_v = 64;
    state.divisor = Divisor::none;
    state.softmax = SoftmaxForm::naive;
}

LessonState four_tokens(LessonMask mask) {
    LessonState state = four_token_state();
    state.mask = mask;
    return state;
}

LessonState many_tokens(std::size_t count) {
    LessonState state;
    state.tokens.clear();
    for (std::size_t token = 0; token < count; ++token) {
        state.tokens.push_back("token " + std::to_string(token));
    }
    state.row = 0;
    return state;
}

/// In the order of the proofs.
std::vector<std::string> const law_names = {
    "weights_are_finite", "rows_sum_to_one",        "future_is_hidden",     "past_is_untouched", "window_is_kept",
    "padding_is_hidden",  "padding_does_not_count", "order_does_not_count", "output_has_shape",  "values_are_blended",
    "roles_differ",       "something_can_learn",    "spread_is_kept",       "entropy_is_kept",   "gradient_is_alive",
};

Proof proof_of(Law law, LessonState const& state) {
    std::vector<Proof> const proofs = prove(state);
    REQUIRE(proofs.size() == law_names.size());
    Proof const& proof = proofs.at(static_cast<std::size_t>(law));
    REQUIRE(proof.law == law);
    return proof;
}

std::string names_with(Outcome outcome, LessonState const& state) {
    std::string names;
    for (Proof const& proof : prove(state)) {
        if (proof.outcome == outcome) {
            names += (names.empty() ? "" : ", ") + std::string(name_of(proof.law));
        }
    }
    return names;
}

std::string broken_by(Change const& change) {
    return names_with(Outcome::fails, changed(change));
}

/// Attention once more, in long double and by its definition: what outputs come of other embeddings.
Matrix<double> outputs_by_hand(Matrix<double> const& X, Lesson const& lesson, LessonMask mask) {
    std::size_t const n = X.shape(0);
    auto const projected = [&](Matrix<double> const& weights, std::size_t row, std::size_t column) {
        long double sum = 0;
        for (std::size_t m = 0; m < X.shape(1); ++m) {
            sum += static_cast<long double>(X(row, m)) * static_cast<long double>(weights(m, column));
        }
        return sum;
    };
    Matrix<double> output = make_matrix<double>(n, lesson.W_v.shape(1));
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<long double> exponentials(n);
        long double total = 0;
        for (std::size_t j = 0; j < n; ++j) {
            long double score = 0;
            for (std::size_t c = 0; c < lesson.W_q.shape(1); ++c) {
                score += projected(lesson.W_q, i, c) * projected(lesson.W_k, j, c);
            }
            bool const is_seen = mask != LessonMask::causal || j <= i;
            exponentials[j] = is_seen ? std::exp(score / static_cast<long double>(lesson.divisor)) : 0;
            total += exponentials[j];
        }
        for (std::size_t c = 0; c < output.shape(1); ++c) {
            long double sum = 0;
            for (std::size_t j = 0; j < n; ++j) {
                bool const is_kept = mask == LessonMask::none || j <= i;
                sum += is_kept ? exponentials[j] / total * projected(lesson.W_v, j, c) : 0;
            }
            output(i, c) = static_cast<double>(sum);
        }
    }
    return output;
}

double largest_distance(Matrix<double> const& left, std::size_t left_row, Matrix<double> const& right,
                        std::size_t right_row) {
    double largest = 0;
    for (std::size_t c = 0; c < right.shape(1); ++c) {
        largest = std::max(largest, std::fabs(left(left_row, c) - right(right_row, c)));
    }
    return largest;
}

double worst(std::vector<double> const& residuals) {
    double largest = 0;
    for (double const residual : residuals) {
        if (std::isnan(residual)) {
            return not_a_number;
        }
        largest = std::max(largest, residual);
    }
    return largest;
}

/// States that between them turn every law red that can be, and leave every one green.
std::vector<LessonState> many_states() {
    std::vector<LessonState> states = {
        {},
        changed(no_divisor),
        changed(divided_by_d_k),
        changed(shared),
        changed(identity),
        changed(along_queries),
        changed(causal),
        changed(late),
        changed(embeddings),
        changed(narrow_embeddings),
        changed(overflowing),
        four_tokens(LessonMask::none),
        four_tokens(LessonMask::causal),
        four_tokens(LessonMask::late),
        many_tokens(1),
        many_tokens(2),
        many_tokens(40),
    };
    for (LessonMask const mask : {LessonMask::causal, LessonMask::late}) {
        for (LessonState state : {changed(overflowing), changed(along_queries), many_tokens(1)}) {
            state.mask = mask;
            states.push_back(state);
        }
    }
    return states;
}

} // namespace

TEST_CASE("the laws come in one order, each by its own name") {
    std::vector<Proof> const proofs = prove({});
    REQUIRE(proofs.size() == 15);
    for (std::size_t index = 0; index < proofs.size(); ++index) {
        CHECK(static_cast<std::size_t>(proofs[index].law) == index);
        CHECK(name_of(proofs[index].law) == law_names[index]);
    }
    CHECK(static_cast<int>(Law::weights_are_finite) == 0);
    CHECK(static_cast<int>(Law::gradient_is_alive) == 14);
}

TEST_CASE("outcomes have names") {
    CHECK(std::string(name_of(Outcome::holds)) == "holds");
    CHECK(std::string(name_of(Outcome::fails)) == "fails");
    CHECK(std::string(name_of(Outcome::not_claimed)) == "not_claimed");
}

TEST_CASE("the default lesson breaks no law, at any d_k from 2 to 64, masked or not") {
    for (std::size_t d_k = 2; d_k <= 64; ++d_k) {
        LessonState state;
        state.d_k = state.d_v = d_k;
        CAPTURE(d_k);
        CHECK(names_with(Outcome::fails, state) == "");
        CHECK(names_with(Outcome::not_claimed, state) ==
              "future_is_hidden, past_is_untouched, window_is_kept, padding_is_hidden, padding_does_not_count");
        state.mask = LessonMask::causal;
        CHECK(names_with(Outcome::not_claimed, state) ==
              "window_is_kept, padding_is_hidden, padding_does_not_count, order_does_not_count");
    }
    CHECK(broken_by(causal) == "");
    CHECK(names_with(Outcome::fails, four_token_state()) == "");
}

TEST_CASE("every mistake of the lesson breaks the laws that it is about") {
    CHECK(broken_by(no_divisor) == "spread_is_kept, entropy_is_kept, gradient_is_alive");
    CHECK(broken_by(divided_by_d_k) == "spread_is_kept");
    CHECK(broken_by(shared) == "roles_differ, gradient_is_alive"); // q . q is large: a token looks at itself
    CHECK(broken_by(identity) == "roles_differ, something_can_learn");
    CHECK(broken_by(along_queries) == "rows_sum_to_one");
    CHECK(broken_by(late) == "rows_sum_to_one, past_is_untouched");
    CHECK(broken_by(embeddings) == "values_are_blended");
    CHECK(broken_by(narrow_embeddings) == "output_has_shape, values_are_blended");
    CHECK(broken_by(overflowing) == "weights_are_finite, rows_sum_to_one, order_does_not_count, values_are_blended, "
                                    "spread_is_kept, entropy_is_kept, gradient_is_alive");
}

TEST_CASE("the mistakes break the same laws under a causal mask, where every law but that of order is claimed") {
    auto const under_mask = [](Change const& mistake) {
        return broken_by([&](LessonState& state) {
            mistake(state);
            state.mask = LessonMask::causal;
        });
    };
    CHECK(under_mask(divided_by_d_k) == "spread_is_kept");
    CHECK(under_mask(along_queries) == "rows_sum_to_one, past_is_untouched");
    CHECK(under_mask(embeddings) == "values_are_blended");
    CHECK(under_mask(identity) == "roles_differ, something_can_learn");
}

TEST_CASE("what is found, what is expected and the residuals stand side by side, and the worst residual decides") {
    std::size_t outcomes[3] = {0, 0, 0};
    for (LessonState const& state : many_states()) {
        std::size_t const n = state.tokens.size();
        for (Proof const& proof : prove(state)) {
            INFO(name_of(proof.law) << ", " << n << " tokens");
            bool const is_about_the_whole = proof.law == Law::roles_differ || proof.law == Law::something_can_learn ||
                                            proof.law == Law::spread_is_kept;
            std::size_t const items = is_about_the_whole                    ? 1
                                      : proof.law == Law::output_has_shape  ? 2
                                      : proof.law == Law::past_is_untouched ? n - 1
                                                                            : n;
            CHECK(proof.found.size() == items);
            CHECK(proof.expected.size() == items);
            CHECK(proof.residuals.size() == items);
            double const largest = worst(proof.residuals);
            CHECK((std::isnan(largest) ? std::isnan(proof.residual) : proof.residual == largest));
            CHECK_FALSE(proof.residual < 0);
            CHECK(proof.tolerance >= 0);
            if (proof.outcome != Outcome::not_claimed) {
                CHECK((proof.outcome == Outcome::holds) == (largest <= proof.tolerance));
            }
            ++outcomes[static_cast<std::size_t>(proof.outcome)];
        }
    }
    CHECK(outcomes[0] > 100);
    CHECK(outcomes[1] > 30);
    CHECK(outcomes[2] > 30);
}

TEST_CASE("what a law allows is nothing, rounding, or a factor of two") {
    for (Proof const& proof : prove({})) {
        INFO(name_of(proof.law));
        bool const is_rounded = proof.law == Law::rows_sum_to_one || proof.law == Law::order_does_not_count ||
                                proof.law == Law::values_are_blended || proof.law == Law::entropy_is_kept;
        CHECK(proof.tolerance == (proof.law == Law::spread_is_kept ? 1 : is_rounded ? 1e-12 : 0));
    }
}

TEST_CASE("a residual that is not a number fails a claimed law, also where later rows are right") {
    LessonState state = changed(overflowing);
    Proof const sums = proof_of(Law::rows_sum_to_one, state);
    CHECK(sums.outcome == Outcome::fails);
    CHECK(std::isnan(sums.residual));
    CHECK(std::isnan(sums.residuals[0]));
    CHECK(sums.residuals[3] <= 1e-12);

    state.tokens.resize(4); // now the last row is a right one, and NaN came before
    for (Law const law : {Law::rows_sum_to_one, Law::order_does_not_count, Law::values_are_blended,
                          Law::entropy_is_kept, Law::gradient_is_alive}) {
        INFO(name_of(law));
        Proof const proof = proof_of(law, state);
        CHECK(std::isfinite(proof.residuals.back()));
        CHECK(std::isnan(proof.residual));
        CHECK(proof.outcome == Outcome::fails);
    }
    // What is not claimed is measured all the same.
    CHECK(std::isnan(proof_of(Law::future_is_hidden, changed(overflowing)).residual));
    CHECK(std::isnan(proof_of(Law::past_is_untouched, changed(overflowing)).residual));
}

TEST_CASE("weights are finite, and the naive softmax breaks the rows with a score that half precision cannot hold") {
    Proof const stable = proof_of(Law::weights_are_finite, {});
    CHECK(stable.outcome == Outcome::holds);
    CHECK(stable.found == std::vector<double>(6, 0));

    LessonState state = changed(overflowing);
    Proof const naive = proof_of(Law::weights_are_finite, state);
    CHECK(naive.outcome == Outcome::fails);
    CHECK(naive.found == std::vector<double>{1, 1, 1, 0, 1, 0});
    CHECK(naive.expected == std::vector<double>(6, 0));
    CHECK(naive.residual == 1);
    Lesson const lesson = attention::lesson(state);
    for (std::size_t i = 0; i < 6; ++i) {
        double too_large = 0;
        for (std::size_t j = 0; j < 6; ++j) {
            too_large += std::exp(lesson.scores(i, j)) > 65504 ? 1 : 0;
        }
        CHECK(naive.found[i] == too_large);
    }

    state.divisor = Divisor::sqrt; // what the divisor is for
    CHECK(proof_of(Law::weights_are_finite, state).outcome == Outcome::holds);
}

TEST_CASE("rows sum to 1, and along the queries they do not, by what a sum of its own shows") {
    CHECK(proof_of(Law::rows_sum_to_one, {}).outcome == Outcome::holds);
    CHECK(proof_of(Law::rows_sum_to_one, {}).residual <= 1e-15);

    LessonState const state = changed(along_queries);
    Proof const wrong = proof_of(Law::rows_sum_to_one, state);
    Lesson const lesson = attention::lesson(state);
    double largest = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < 6; ++j) {
            double total = 0; // of the key's column
            for (std::size_t other = 0; other < 6; ++other) {
                total += std::exp(lesson.scaled(other, j));
            }
            sum += std::exp(lesson.scaled(i, j)) / total;
        }
        CHECK(wrong.found[i] == Approx(sum).epsilon(1e-13));
        CHECK(wrong.expected[i] == 1);
        largest = std::max(largest, std::fabs(sum - 1));
    }
    CHECK(wrong.outcome == Outcome::fails);
    CHECK(wrong.residual == Approx(largest).epsilon(1e-13));
    CHECK(wrong.residual == Approx(0.854).margin(0.001));
}

TEST_CASE("a late mask loses the weight that the softmax gave to the future, by hand for four tokens") {
    Proof const late_mask = proof_of(Law::rows_sum_to_one, four_tokens(LessonMask::late));
    CHECK(late_mask.outcome == Outcome::fails);
    // Scores 1, 2, 3, -1 of the first token and 0, 1, 1, -1 of the second, over sqrt 2; what is not later stays.
    auto const e = [](double score) { return std::exp(score / std::sqrt(2.0)); };
    double const first = e(1) / (e(1) + e(2) + e(3) + e(-1));
    double const second = (e(0) + e(1)) / (e(0) + e(1) + e(1) + e(-1));
    CHECK(late_mask.found[0] == Approx(first).epsilon(1e-14));
    CHECK(late_mask.found[1] == Approx(second).epsilon(1e-14));
    CHECK(late_mask.found[3] == Approx(1).epsilon(1e-15));
    CHECK(late_mask.expected == std::vector<double>(4, 1));
    CHECK(late_mask.residual == Approx(1 - first).epsilon(1e-14));
    CHECK(late_mask.residual == Approx(0.8645808890652698).epsilon(1e-14)); // more than six parts in seven are lost
    CHECK(proof_of(Law::rows_sum_to_one, four_tokens(LessonMask::causal)).outcome == Outcome::holds);
}

TEST_CASE("under a mask weights on later keys are exactly 0, and without one the largest of them is measured") {
    for (Change const& mask : {Change(causal), Change(late)}) {
        Proof const hidden = proof_of(Law::future_is_hidden, changed(mask));
        CHECK(hidden.outcome == Outcome::holds);
        CHECK(hidden.found == std::vector<double>(6, 0));
        CHECK(hidden.residual == 0);
    }
    Proof const open = proof_of(Law::future_is_hidden, {});
    CHECK(open.outcome == Outcome::not_claimed);
    Matrix<double> const weights = lesson({}).weights;
    double largest = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        double of_row = 0;
        for (std::size_t j = i + 1; j < 6; ++j) {
            of_row = std::max(of_row, weights(i, j));
        }
        CHECK(open.found[i] == of_row);
        CHECK(open.expected[i] == 0);
        largest = std::max(largest, of_row);
    }
    CHECK(open.residual == largest);
    CHECK(open.residual > 0.5); // it would fail if it were claimed
}

TEST_CASE("under a causal mask another last token changes no earlier output by a bit") {
    for (LessonState const& state : {changed(causal), four_token_state()}) {
        Proof const untouched = proof_of(Law::past_is_untouched, state);
        Matrix<double> const output = lesson(state).output;
        CHECK(untouched.outcome == Outcome::holds);
        CHECK(untouched.residual == 0);
        REQUIRE(untouched.found.size() == state.tokens.size() - 1);
        for (std::size_t i = 0; i < untouched.found.size(); ++i) {
            CHECK(untouched.found[i] == output(i, 0));
            CHECK(untouched.expected[i] == output(i, 0));
        }
    }
}

TEST_CASE("a late mask and no mask let the last token change earlier outputs, by as much as a second attention shows") {
    for (LessonMask const mask : {LessonMask::late, LessonMask::none}) {
        LessonState state;
        state.d_v = 3;
        state.mask = mask;
        Lesson const lesson = attention::lesson(state);
        Matrix<double> X = lesson.X;
        for (std::size_t c = 0; c < X.shape(1); ++c) {
            X(5, c) *= -1;
        }
        Matrix<double> const before = outputs_by_hand(lesson.X, lesson, mask);
        Matrix<double> const after = outputs_by_hand(X, lesson, mask);
        Proof const touched = proof_of(Law::past_is_untouched, state);
        CAPTURE(static_cast<int>(mask));
        CHECK(touched.outcome == (mask == LessonMask::late ? Outcome::fails : Outcome::not_claimed));
        for (std::size_t i = 0; i < 5; ++i) {
            CHECK(touched.found[i] == Approx(after(i, 0)).margin(1e-12));
            CHECK(touched.expected[i] == Approx(before(i, 0)).margin(1e-12));
            CHECK(touched.residuals[i] == Approx(largest_distance(after, i, before, i)).margin(1e-12));
        }
        CHECK(touched.residual > 0.1);
    }
}

TEST_CASE("without a mask tokens in reverse give outputs in reverse") {
    for (LessonState const& state : {LessonState(), four_tokens(LessonMask::none), many_tokens(40)}) {
        Proof const order = proof_of(Law::order_does_not_count, state);
        Matrix<double> const output = lesson(state).output;
        CHECK(order.outcome == Outcome::holds);
        CHECK(order.residual <= 1e-12);
        for (std::size_t i = 0; i < output.shape(0); ++i) {
            CHECK(order.expected[i] == output(i, 0));
            CHECK(order.found[i] == Approx(output(i, 0)).margin(1e-12));
        }
    }
}

TEST_CASE("under a mask order counts, which is no mistake, and by how much is measured") {
    for (LessonMask const mask : {LessonMask::causal, LessonMask::late}) {
        LessonState state;
        state.d_v = 3;
        state.mask = mask;
        Lesson const lesson = attention::lesson(state);
        Matrix<double> X = lesson.X;
        for (std::size_t i = 0; i < 6; ++i) {
            for (std::size_t c = 0; c < X.shape(1); ++c) {
                X(i, c) = lesson.X(5 - i, c);
            }
        }
        Matrix<double> const before = outputs_by_hand(lesson.X, lesson, mask);
        Matrix<double> const after = outputs_by_hand(X, lesson, mask);
        Proof const order = proof_of(Law::order_does_not_count, state);
        CAPTURE(static_cast<int>(mask));
        CHECK(order.outcome == Outcome::not_claimed);
        for (std::size_t i = 0; i < 6; ++i) {
            CHECK(order.found[i] == Approx(after(5 - i, 0)).margin(1e-12));
            CHECK(order.expected[i] == Approx(before(i, 0)).margin(1e-12));
            CHECK(order.residuals[i] == Approx(largest_distance(after, 5 - i, before, i)).margin(1e-12));
        }
        CHECK(order.residual > 0.1);
    }
}

TEST_CASE("the output is (T, d_v), and as wide as the embeddings where those are blended") {
    LessonState state;
    state.d_v = 5;
    state.tokens.resize(4);
    Proof const right = proof_of(Law::output_has_shape, state);
    CHECK(right.outcome == Outcome::holds);
    CHECK(right.found == std::vector<double>{4, 5});
    CHECK(right.expected == std::vector<double>{4, 5});

    state.blend = Blend::embeddings;
    Proof const wrong = proof_of(Law::output_has_shape, state);
    CHECK(wrong.outcome == Outcome::fails);
    CHECK(wrong.found == std::vector<double>{4, 16});
    CHECK(wrong.expected == std::vector<double>{4, 5});
    CHECK(wrong.residuals == std::vector<double>{0, 11});

    state.d_v = 16; // as wide as the embeddings, so that the shape alone tells nothing
    CHECK(proof_of(Law::output_has_shape, state).outcome == Outcome::holds);
    CHECK(proof_of(Law::values_are_blended, state).outcome == Outcome::fails);
}

TEST_CASE("the output is A V, and how far A X is from it is measured") {
    Proof const right = proof_of(Law::values_are_blended, changed(causal));
    CHECK(right.outcome == Outcome::holds);
    CHECK(right.residual == 0);

    LessonState const state = changed(embeddings);
    Proof const wrong = proof_of(Law::values_are_blended, state);
    Lesson const lesson = attention::lesson(state);
    Matrix<double> const blended_values = outputs_by_hand(lesson.X, lesson, LessonMask::none);
    CHECK(wrong.outcome == Outcome::fails);
    for (std::size_t i = 0; i < 6; ++i) {
        double largest = 0;
        for (std::size_t c = 0; c < 16; ++c) {
            double apart = 0;
            for (std::size_t j = 0; j < 6; ++j) {
                apart += lesson.weights(i, j) * (lesson.X(j, c) - lesson.V(j, c));
            }
            largest = std::max(largest, std::fabs(apart));
        }
        CHECK(wrong.residuals[i] == Approx(largest).epsilon(1e-12));
        CHECK(wrong.found[i] == lesson.output(i, 0));
        CHECK(wrong.expected[i] == Approx(blended_values(i, 0)).margin(1e-12));
    }
    // Outputs of another width are no number apart, but wholly.
    for (std::size_t const d_v : {std::size_t(5), std::size_t(40)}) {
        LessonState other = changed(embeddings);
        other.d_v = d_v;
        CHECK(proof_of(Law::values_are_blended, other).residual == infinity);
    }
}

TEST_CASE("query and key play different roles, and one matrix for both makes the scores symmetric") {
    Matrix<double> const scores = lesson({}).scores;
    double asymmetry = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
            asymmetry = std::max(asymmetry, scores(i, j) - scores(j, i));
        }
    }
    Proof const right = proof_of(Law::roles_differ, {});
    CHECK(right.outcome == Outcome::holds);
    CHECK(right.found[0] == asymmetry);
    CHECK(right.residual == 0);
    // Of the rows 1, 2, 3, -1 and 0, 1, 1, -1 and 1, 3, 4, -2 and 1, 1, 2, 0, -2 and 2 are farthest apart.
    CHECK(proof_of(Law::roles_differ, four_token_state()).found[0] == 4);

    for (Change const& mistake : {Change(shared), Change(identity)}) {
        Proof const wrong = proof_of(Law::roles_differ, changed(mistake));
        CHECK(wrong.outcome == Outcome::fails);
        CHECK(wrong.found[0] == 0);
        CHECK(wrong.residual == wrong.expected[0]);
        CHECK(wrong.expected[0] == 1e-9);
    }
}

TEST_CASE("parameters are counted, and without any nothing can learn") {
    LessonState state;
    state.d_model = 9;
    state.d_k = 7;
    state.d_v = 5;
    Proof const separate = proof_of(Law::something_can_learn, state);
    CHECK(separate.outcome == Outcome::holds);
    CHECK(separate.found[0] == 9 * (7 + 7 + 5));
    CHECK(separate.expected[0] == 1);
    CHECK(separate.residual == 0);
    state.d_v = 7;
    state.projections = ProjectionMode::shared;
    CHECK(proof_of(Law::something_can_learn, state).found[0] == 9 * 7); // one matrix, counted once
    CHECK(proof_of(Law::something_can_learn, state).outcome == Outcome::holds);
    Proof const none = proof_of(Law::something_can_learn, changed(identity));
    CHECK(none.outcome == Outcome::fails);
    CHECK(none.found[0] == 0);
    CHECK(none.residual == 1);
    CHECK(proof_of(Law::something_can_learn, four_token_state()).found[0] == 12);
}

TEST_CASE("the divisor sqrt(d_k) keeps the scores' spread at about 1, and no divisor and d_k miss it by factors") {
    for (Divisor const divisor : {Divisor::sqrt, Divisor::none, Divisor::dk}) {
        LessonState state;
        state.d_k = 64;
        state.divisor = divisor;
        Lesson const lesson = attention::lesson(state);
        double sum = 0;
        double squares = 0;
        for (double const score : lesson.scores) {
            sum += score / lesson.divisor;
            squares += score / lesson.divisor * (score / lesson.divisor);
        }
        double const spread = std::sqrt(squares / 36 - sum / 36 * (sum / 36));
        Proof const kept = proof_of(Law::spread_is_kept, state);
        CAPTURE(static_cast<int>(divisor));
        CHECK(kept.outcome == (divisor == Divisor::sqrt ? Outcome::holds : Outcome::fails));
        CHECK(kept.found[0] == Approx(spread).epsilon(1e-12));
        CHECK(kept.expected[0] == 1);
        CHECK(kept.residual == Approx(std::fabs(std::log2(spread))).epsilon(1e-11));
        CHECK(kept.tolerance == 1);
    }
}

TEST_CASE("spread is claimed of random, separate weights and two tokens or more, and measured of all") {
    for (LessonState const& state : {changed(shared), changed(identity), four_token_state(), many_tokens(1)}) {
        Proof const proof = proof_of(Law::spread_is_kept, state);
        CHECK(proof.outcome == Outcome::not_claimed);
        CHECK(proof.found[0] == lesson(state).spread);
    }
    CHECK(proof_of(Law::spread_is_kept, changed(shared)).residual == Approx(std::log2(1.932)).margin(0.01));
    CHECK(proof_of(Law::spread_is_kept, changed(causal)).outcome == Outcome::holds);
}

TEST_CASE("no row is less even than division by sqrt(d_k) would leave it, and without a divisor rows are") {
    auto const entropies = [](LessonState state, Divisor divisor) {
        state.divisor = divisor;
        Matrix<double> const weights = lesson(state).weights;
        std::vector<double> result;
        for (std::size_t i = 0; i < weights.shape(0); ++i) {
            double entropy = 0;
            for (std::size_t j = 0; j < weights.shape(1); ++j) {
                entropy -= weights(i, j) > 0 ? weights(i, j) * std::log(weights(i, j)) : 0;
            }
            result.push_back(entropy);
        }
        return result;
    };
    for (LessonMask const mask : {LessonMask::none, LessonMask::causal}) {
        for (Divisor const divisor : {Divisor::sqrt, Divisor::none, Divisor::dk}) {
            LessonState state;
            state.mask = mask;
            state.divisor = divisor;
            std::vector<double> const found = entropies(state, divisor);
            std::vector<double> const expected = entropies(state, Divisor::sqrt);
            Proof const proof = proof_of(Law::entropy_is_kept, state);
            CAPTURE(static_cast<int>(mask), static_cast<int>(divisor));
            CHECK(proof.outcome == (divisor == Divisor::none ? Outcome::fails : Outcome::holds));
            for (std::size_t i = 0; i < 6; ++i) {
                CHECK(proof.found[i] == Approx(found[i]).margin(1e-13));
                CHECK(proof.expected[i] == Approx(expected[i]).margin(1e-13));
                // More even than expected is no fault.
                CHECK(proof.residuals[i] == Approx(std::max(0.0, expected[i] - found[i])).margin(1e-13));
            }
        }
    }
    CHECK(proof_of(Law::entropy_is_kept, {}).residual == 0);
    CHECK(proof_of(Law::entropy_is_kept, changed(no_divisor)).residual > 1);
}

TEST_CASE("a row with a choice has a Jacobian of at least 0.05, and without a divisor rows fall below it") {
    for (Divisor const divisor : {Divisor::sqrt, Divisor::none}) {
        LessonState state;
        state.divisor = divisor;
        Matrix<double> const weights = lesson(state).weights;
        Proof const proof = proof_of(Law::gradient_is_alive, state);
        CHECK(proof.outcome == (divisor == Divisor::sqrt ? Outcome::holds : Outcome::fails));
        for (std::size_t i = 0; i < 6; ++i) {
            double squares = 0;
            for (std::size_t j = 0; j < 6; ++j) {
                for (std::size_t l = 0; l < 6; ++l) {
                    double const entry = (j == l ? weights(i, j) : 0) - weights(i, j) * weights(i, l);
                    squares += entry * entry;
                }
            }
            CHECK(proof.found[i] == Approx(std::sqrt(squares)).epsilon(1e-12));
            CHECK(proof.expected[i] == 0.05);
            CHECK(proof.residuals[i] == Approx(std::max(0.0, 0.05 - std::sqrt(squares))).margin(1e-14));
        }
    }
    CHECK(proof_of(Law::gradient_is_alive, changed(no_divisor)).residual > 0.003);
}

TEST_CASE("a row that sees one key alone has no choice, and no gradient is asked of it") {
    Proof const proof = proof_of(Law::gradient_is_alive, changed(causal));
    CHECK(proof.outcome == Outcome::holds);
    CHECK(proof.found[0] == 0);
    CHECK(proof.expected[0] == 0);
    CHECK(proof.residuals[0] == 0);
    CHECK(proof.expected[1] == 0.05);
}

TEST_CASE("a lone token keeps every law that can be asked of it") {
    for (LessonMask const mask : {LessonMask::none, LessonMask::causal, LessonMask::late}) {
        LessonState state = many_tokens(1);
        state.mask = mask;
        CAPTURE(static_cast<int>(mask));
        CHECK(names_with(Outcome::fails, state) == "");
        CHECK(names_with(Outcome::not_claimed, state) ==
              (mask == LessonMask::none ? "future_is_hidden, past_is_untouched, window_is_kept, padding_is_hidden, "
                                          "padding_does_not_count, roles_differ, spread_is_kept"
                                        : "window_is_kept, padding_is_hidden, padding_does_not_count, "
                                          "order_does_not_count, roles_differ, spread_is_kept"));
        CHECK(proof_of(Law::past_is_untouched, state).residual == 0);
        CHECK(proof_of(Law::past_is_untouched, state).found.empty());
    }
}

TEST_CASE("at d_k = 1 all divisors are 1 and break nothing") {
    for (Divisor const divisor : {Divisor::sqrt, Divisor::none, Divisor::dk}) {
        LessonState state;
        state.d_k = state.d_v = 1;
        state.divisor = divisor;
        CHECK(names_with(Outcome::fails, state) == "");
        CHECK(proof_of(Law::entropy_is_kept, state).residual == 0);
    }
}

TEST_CASE("512 tokens are proved row by row") {
    LessonState state = many_tokens(512);
    std::vector<Proof> const proofs = prove(state);
    for (Law const law : {Law::weights_are_finite, Law::rows_sum_to_one, Law::order_does_not_count,
                          Law::output_has_shape, Law::values_are_blended, Law::roles_differ, Law::spread_is_kept,
                          Law::entropy_is_kept, Law::gradient_is_alive}) {
        INFO(name_of(law));
        CHECK(proofs.at(static_cast<std::size_t>(law)).outcome == Outcome::holds);
    }
    CHECK(proofs[1].found.size() == 512);
    CHECK(proofs[3].found.size() == 511);
    CHECK(proofs[8].found == std::vector<double>{512, 16});
    state.mask = LessonMask::causal;
    std::vector<Proof> const masked = prove(state);
    CHECK(masked[2].residual == 0);
    CHECK(masked[3].residual == 0);
}

TEST_CASE("which row is highlighted proves nothing") {
    LessonState state;
    std::vector<Proof> const first = prove(state);
    state.row = 5;
    std::vector<Proof> const last = prove(state);
    for (std::size_t law = 0; law < first.size(); ++law) {
        CHECK(last[law].outcome == first[law].outcome);
        CHECK(last[law].residual == first[law].residual);
        CHECK(last[law].found == first[law].found);
    }
}

TEST_CASE("a state that no lesson can be computed from is not proved") {
    LessonState state;
    state.d_k = 0;
    CHECK(thrown_by([&] { prove(state); }) == "d_k is 0, but must be a whole number from 1 to 512");
    CHECK(thrown_by([&] { prove(state); }) == sentence_of(find_problem(state)));
}

TEST_CASE("a causal lesson whose mask is taken off fails to hide the future and to leave the past alone") {
    Proof const future = proof_of(Law::future_is_hidden, four_tokens(LessonMask::none));
    Proof const past = proof_of(Law::past_is_untouched, four_tokens(LessonMask::none));
    CHECK(future.outcome == Outcome::fails);
    CHECK(future.residual > 0.1);
    CHECK(past.outcome == Outcome::fails);
    CHECK(past.residual > 0.1);
}

TEST_CASE("outputs that depend on the order of the tokens break the law of order, and no other") {
    LessonState const state;
    Lesson wrong = lesson(state);
    Matrix<double> weights = wrong.weights;
    for (std::size_t i = 0; i < 6; ++i) {
        // The weight of the first place, whichever token stands there, goes to the second.
        weights(i, 1) += weights(i, 0);
        weights(i, 0) = 0;
    }
    wrong.weights = weights;
    wrong.output = blend_values(wrong.weights, wrong.V, wrong.visible);
    std::string broken;
    for (Proof const& proof : prove(state, wrong)) {
        broken += proof.outcome == Outcome::fails ? std::string(name_of(proof.law)) : "";
    }
    CHECK(broken == "order_does_not_count");
    Proof const order = prove(state, wrong).at(static_cast<std::size_t>(Law::order_does_not_count));
    Matrix<double> const right = lesson(state).output;
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK(order.expected[i] == wrong.output(i, 0));
        CHECK(order.residuals[i] == Approx(largest_distance(right, i, wrong.output, i)).epsilon(1e-9));
        CHECK(order.residuals[i] > 1e-3);
    }
    CHECK(prove(state, lesson(state)).at(static_cast<std::size_t>(Law::order_does_not_count)).residual <= 1e-12);
}
