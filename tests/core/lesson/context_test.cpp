// Cross-attention: queries of one sentence, keys and values of another.
#include "comparison.hpp"
#include "differences.hpp"
#include "gradient.hpp"
#include "lesson_states.hpp"
#include "testing.hpp"
#include "training.hpp"

using namespace attention;
using namespace testing;

namespace {

/// No two of T, T_k, d_model, d_k, d_v are alike.
LessonState across() {
    LessonState state = five_words(3, 2);
    state.context = {"six", "other", "words", "and", "no", "more"};
    return state;
}

} // namespace

TEST_CASE("a second sentence moves no bit of the first, nor of the matrices") {
    LessonState alone = across();
    alone.context.clear();
    Lesson const with = lesson(across());
    Lesson const without = lesson(alone);
    require_equal(with.X, without.X);
    require_equal(with.Q, without.Q);
    require_equal(with.W_k, without.W_k);
    CHECK(without.context.size() == 0);
    require_equal(with.K, matrix_product(with.context, with.W_k));
    require_equal(with.V, matrix_product(with.context, with.W_v));
    CHECK(shape_text(with.weights) == "(5, 6)");
    CHECK(shape_text(with.output) == "(5, 2)");
}

TEST_CASE("a word has other numbers in the second sentence, and the same wherever it stands there") {
    Lesson const with = lesson(across());
    CHECK(difference(only_row(with.context, 2), only_row(with.X, 1), 0.1) != "");
    LessonState moved = across();
    moved.context = {"words"};
    require_equal(lesson(moved).context, only_row(with.context, 2));
    double squares = 0;
    for (double const entry : only_row(with.context, 0)) {
        squares += entry * entry;
    }
    CHECK(squares == Approx(4).epsilon(1e-14));
}

TEST_CASE("a layer across two sentences is its lessons, head by head") {
    LessonState state = across();
    state.heads = 2;
    Layer const both = layer(state);
    require_equal(both.pass.heads[0].weights, lesson(state).weights);
    state.head = 1;
    require_equal(both.pass.heads[1].weights, lesson(state).weights);
    CHECK(shape_text(both.average) == "(5, 6)");
    CHECK(shape_text(both.pass.blended) == "(6, 4)");
}

TEST_CASE("gradients across two sentences agree with differences, those of both sentences' embeddings too") {
    for (Blend const blend : {Blend::values, Blend::embeddings}) {
        LayerSettings settings;
        settings.divisor = 1.5;
        settings.mask = LessonMask::causal;
        settings.softmax_axis = blend == Blend::values ? SoftmaxAxis::keys : SoftmaxAxis::queries;
        settings.blend = blend;
        Matrix<double> X = scattered(3, 4, 1);
        Matrix<double> context = scattered(5, 4, 6);
        ProjectionWeights weights = {scattered(4, 3, 2), scattered(4, 3, 3), scattered(4, 2, 4)};
        Matrix<double> const output_gradient = scattered(3, blend == Blend::values ? 2 : 4, 5);
        LayerGradients const gradients =
            layer_gradients(X, weights, layer_pass(X, weights, settings, context), output_gradient, settings, context);
        auto const loss_now = [&] { return loss(layer_pass(X, weights, settings, context).output, output_gradient); };
        CHECK(largest_error(gradients.W_q, differences(weights.W_q, loss_now)) <= difference_tolerance);
        CHECK(largest_error(gradients.W_k, differences(weights.W_k, loss_now)) <= difference_tolerance);
        if (blend == Blend::values) {
            CHECK(largest_error(gradients.W_v, differences(weights.W_v, loss_now)) <= difference_tolerance);
        }
        CHECK(largest_error(embedding_gradient(gradients, weights), differences(X, loss_now)) <= difference_tolerance);
        CHECK(largest_error(context_gradient(gradients, weights), differences(context, loss_now)) <=
              difference_tolerance);
    }
}

TEST_CASE("a lesson's gradients hold those of the second sentence, and of one sentence none") {
    LessonState state = across();
    LessonGradients const gradients = lesson_gradients(state, scattered(5, 2, 8));
    CHECK(shape_text(gradients.X) == "(5, 4)");
    CHECK(shape_text(gradients.context) == "(6, 4)");
    state.context.clear();
    CHECK(lesson_gradients(state, scattered(5, 2, 8)).context.size() == 0);
}

TEST_CASE("reversing the keys changes no output, and a lesson whose keys have places breaks that law") {
    LessonState const state = across();
    Proof const proof = proof_of(Law::order_does_not_count, state);
    CHECK(proof.outcome == Outcome::holds);
    Lesson wrong = lesson(state);
    wrong.output(2, 1) += 0.5;
    CHECK(prove(state, wrong).at(static_cast<std::size_t>(Law::order_does_not_count)).residual == Approx(0.5));
    for (Law const law : {Law::past_is_untouched, Law::roles_differ}) {
        CHECK(proof_of(law, state).outcome == Outcome::not_claimed);
    }
    LessonState masked = state;
    masked.mask = LessonMask::causal;
    CHECK(proof_of(Law::past_is_untouched, masked).outcome == Outcome::not_claimed);
    CHECK(proof_of(Law::future_is_hidden, masked).outcome == Outcome::holds);
}

TEST_CASE("padding is of the keys, and changes no output of any query") {
    LessonState state = across();
    state.padding = 4;
    CHECK(proof_of(Law::padding_is_hidden, state).outcome == Outcome::holds);
    Proof const proof = proof_of(Law::padding_does_not_count, state);
    CHECK(proof.outcome == Outcome::holds);
    CHECK(proof.found.size() == 5);
    LessonState alone = state;
    alone.padding = 0;
    alone.context.resize(2);
    require_close(lesson(state).output, lesson(alone).output, 1e-15, 1e-14);
}

TEST_CASE("two states are compared where they have as many queries and keys") {
    LessonState other = across();
    other.divisor = Divisor::none;
    CHECK(shape_text(compare(across(), other).difference) == "(5, 6)");
    CHECK(shape_text(compare_jacobians(across()).scaled) == "(6, 6)");
    other.context.pop_back();
    CHECK(sentence_of(find_problem(across(), other)) == "context gives 5 keys, but the state to compare with has 6");
}

TEST_CASE("a context that is too long, has no task, or no place in a preset is refused") {
    LessonState state = across();
    CHECK(sentence_of(find_problem(state, TrainingOptions())) ==
          "context holds tokens, but the task is to hand over the value of the token before, in one sentence");
    state.padding = 6;
    CHECK(sentence_of(find_problem(state)) == "padding is 6, but must be a whole number from 0 to 5");
    state = across();
    state.context.resize(2049);
    CHECK(sentence_of(find_problem(state)) == "context holds 2049 tokens, but must hold at most 2048");
    state.context.resize(2048);
    state.tokens.resize(2048);
    state.heads = 2;
    CHECK(sentence_of(find_problem(state)) == "heads is 2, but with 2048 × 2048 tokens must be at most 1");
    state = four_token_state();
    state.context = {"a"};
    CHECK(sentence_of(find_problem(state)) == "context holds 1 tokens, but the preset four-token has none");
    CHECK(thrown_by([] {
              layer_pass(scattered(2, 3, 1), {scattered(3, 2, 2), scattered(3, 2, 3), scattered(3, 2, 4)}, {},
                         scattered(2, 4, 5));
          }) == "context has shape (2, 4), but X has d_model = 3");
    CHECK(thrown_by([] { lesson_on(scattered(5, 4, 1), scattered(5, 4, 2), across(), Divisor::sqrt); }) ==
          "context has shape (5, 4), but the state asks for (T_k, d_model) = (6, 4)");
}
