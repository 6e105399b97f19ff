// The table between JavaScript and the core, without logic. A call takes plain values and gives one array of numbers,
// packed in the order in which engine.js unpacks it: crossing once costs less than the arithmetic of a six-token
// lesson, crossing once a matrix costs several times as much.

#include <emscripten/bind.h>

#include <cmath>
#include <string>
#include <vector>

#include "attention.hpp"
#include "comparison.hpp"
#include "lesson.hpp"
#include "proofs.hpp"

namespace {

using emscripten::val;

template <class Container> auto view(Container const& container) {
    return emscripten::typed_memory_view(container.size(), container.data());
}

// Values stand one behind the other: a matrix as its two lengths and its entries, a vector as its length and its
// entries, states of rows as their count and their numbers, a number as itself.

template <class T, class U> void append(std::vector<T>& numbers, attention::Matrix<U> const& matrix) {
    numbers.push_back(static_cast<T>(matrix.shape(0)));
    numbers.push_back(static_cast<T>(matrix.shape(1)));
    numbers.insert(numbers.end(), matrix.data(), matrix.data() + matrix.size());
}

template <class T> void append(std::vector<T>& numbers, attention::Vector<T> const& vector) {
    numbers.push_back(static_cast<T>(vector.size()));
    numbers.insert(numbers.end(), vector.data(), vector.data() + vector.size());
}

template <class T, class State> void append(std::vector<T>& numbers, std::vector<State> const& states) {
    numbers.push_back(static_cast<T>(states.size()));
    for (State const state : states) {
        numbers.push_back(static_cast<T>(state));
    }
}

template <class T> void append(std::vector<T>& numbers, T number) {
    numbers.push_back(number);
}

/// Hands the numbers to a function of engine.js, which copies them before it returns: the view dies when WebAssembly's
/// memory grows.
template <class T> void deliver(val const& receive, std::vector<T> const& numbers) {
    receive(val(view(numbers)));
}

template <class Container> std::size_t packed_size(Container const& container) {
    return 2 + container.size();
}

inline std::size_t packed_size(double) {
    return 1;
}

template <class... Values> void deliver_all(val const& receive, Values const&... values) {
    std::vector<double> numbers;
    numbers.reserve((packed_size(values) + ...));
    (append(numbers, values), ...);
    deliver(receive, numbers);
}

/// A problem as an object, or undefined where there is none. This build has no exceptions: problems are looked for
/// before the core is called, and nothing is thrown.
val refusal(attention::Problem const& problem) {
    if (!problem) {
        return val::undefined();
    }
    val object = val::object();
    object.set("argument", problem->argument());
    object.set("found", problem->found());
    object.set("expected", problem->expected());
    return object;
}

/// A lesson's state as JavaScript writes it, less the tokens. Choices are numbers, in the order of their enumerators.
struct LessonArguments {
    unsigned preset;
    unsigned d_model;
    unsigned d_k;
    unsigned d_v;
    unsigned divisor;
    unsigned mask;
    unsigned projections;
    unsigned softmax_axis;
    unsigned softmax;
    unsigned blend;
    unsigned row;
    unsigned seed;
};

attention::LessonState lesson_state(val const& tokens, LessonArguments const& arguments) {
    attention::LessonState state;
    state.preset = static_cast<attention::Preset>(arguments.preset);
    state.tokens = emscripten::vecFromJSArray<std::string>(tokens);
    state.d_model = arguments.d_model;
    state.d_k = arguments.d_k;
    state.d_v = arguments.d_v;
    state.divisor = static_cast<attention::Divisor>(arguments.divisor);
    state.mask = static_cast<attention::LessonMask>(arguments.mask);
    state.projections = static_cast<attention::ProjectionMode>(arguments.projections);
    state.softmax_axis = static_cast<attention::SoftmaxAxis>(arguments.softmax_axis);
    state.softmax = static_cast<attention::SoftmaxForm>(arguments.softmax);
    state.blend = static_cast<attention::Blend>(arguments.blend);
    state.row = arguments.row;
    state.seed = arguments.seed;
    return state;
}

val lesson(val const& tokens, LessonArguments const& arguments, val const& receive) {
    attention::LessonState const state = lesson_state(tokens, arguments);
    attention::Problem const problem = attention::find_problem(state);
    if (!problem) {
        attention::Lesson const lesson = attention::lesson(state);
        attention::RowMetrics const& rows = lesson.rows;
        attention::Worksheet const& sheet = lesson.worksheet;
        double const no_law = -1;
        deliver_all(receive, lesson.X, lesson.W_q, lesson.W_k, lesson.W_v, lesson.Q, lesson.K, lesson.V, lesson.scores,
                    lesson.scaled, lesson.masked, lesson.weights, lesson.output, lesson.visible, lesson.divisor,
                    lesson.spread, lesson.expected_spread.value_or(no_law), rows.peak, rows.entropy,
                    rows.maximum_entropy, rows.jacobian, rows.row_sum, rows.state, rows.gradient, sheet.products,
                    sheet.subtracted, sheet.shifted, sheet.exponentials, sheet.totals, sheet.contributions);
    }
    return refusal(problem);
}

val proofs(val const& tokens, LessonArguments const& arguments, val const& receive) {
    attention::LessonState const state = lesson_state(tokens, arguments);
    attention::Problem const problem = attention::find_problem(state);
    if (!problem) {
        std::vector<double> numbers;
        for (attention::Proof const& proof : attention::prove(state)) {
            append(numbers, static_cast<double>(proof.law));
            append(numbers, static_cast<double>(proof.outcome));
            append(numbers, proof.residual);
            append(numbers, proof.tolerance);
            append(numbers, proof.found);
            append(numbers, proof.expected);
            append(numbers, proof.residuals);
        }
        deliver(receive, numbers);
    }
    return refusal(problem);
}

val comparison(val const& first_tokens, LessonArguments const& first_arguments, val const& second_tokens,
               LessonArguments const& second_arguments, val const& receive) {
    attention::LessonState const first = lesson_state(first_tokens, first_arguments);
    attention::LessonState const second = lesson_state(second_tokens, second_arguments);
    attention::Problem const problem = attention::find_problem(first, second);
    if (!problem) {
        attention::Comparison const comparison = attention::compare(first, second);
        deliver_all(receive, comparison.first, comparison.second, comparison.difference, comparison.largest);
    }
    return refusal(problem);
}

val jacobians(val const& tokens, LessonArguments const& arguments, val const& receive) {
    attention::LessonState const state = lesson_state(tokens, arguments);
    attention::Problem const problem = attention::find_problem(state);
    if (!problem) {
        attention::JacobianComparison const pair = attention::compare_jacobians(state);
        deliver_all(receive, pair.scaled, pair.unscaled, pair.scaled_norm, pair.unscaled_norm);
    }
    return refusal(problem);
}

template <class T> attention::Matrix<T> matrix_from(val const& tensor) {
    attention::Matrix<T> matrix =
        attention::Matrix<T>::from_shape({tensor["shape"][0].as<std::size_t>(), tensor["shape"][1].as<std::size_t>()});
    val(view(matrix)).call<void>("set", tensor["data"]);
    return matrix;
}

/// The options of one call. NaN and -1 stand for what the caller left out: engine.js refuses both as values.
struct AttentionArguments {
    double scale;
    double softcap;
    bool is_causal;
    int query_offset;
    int left_window;
    int right_window;
    int key_length;
    bool mask_is_boolean;
    unsigned stages; // one bit each for scores, capped, masked and weights
};

template <class T>
attention::AttentionOptions<T> attention_options(AttentionArguments const& arguments, val const& mask) {
    attention::AttentionOptions<T> options;
    if (!std::isnan(arguments.scale)) {
        options.scale = static_cast<T>(arguments.scale);
    }
    options.softcap = static_cast<T>(arguments.softcap);
    options.rule.is_causal = arguments.is_causal;
    options.rule.query_offset = arguments.query_offset;
    options.rule.left_window = arguments.left_window;
    options.rule.right_window = arguments.right_window;
    if (arguments.key_length >= 0) {
        options.rule.key_length = static_cast<std::size_t>(arguments.key_length);
    }
    if (!mask.isNull()) {
        if (arguments.mask_is_boolean) {
            options.mask = matrix_from<std::uint8_t>(mask);
        } else {
            options.mask = matrix_from<T>(mask);
        }
    }
    return options;
}

/// The output, then the stages that were asked for.
template <class T>
val attention_of(val const& js_query, val const& js_key, val const& js_value, val const& mask,
                 AttentionArguments const& arguments, val const& receive) {
    attention::Matrix<T> const query = matrix_from<T>(js_query);
    attention::Matrix<T> const key = matrix_from<T>(js_key);
    attention::Matrix<T> const value = matrix_from<T>(js_value);
    attention::AttentionOptions<T> const options = attention_options<T>(arguments, mask);
    attention::Problem problem = attention::find_problem(query, key, value, options);
    if (!problem) {
        attention::Attention<T> const result = attention::attend(query, key, value, options);
        problem = attention::find_overflow(result);
        std::vector<T> numbers;
        append(numbers, result.output);
        unsigned stage = 1;
        for (auto const* matrix : {&result.scores, &result.capped, &result.masked, &result.weights}) {
            if ((arguments.stages & stage) != 0) {
                append(numbers, *matrix);
            }
            stage *= 2;
        }
        deliver(receive, numbers);
    }
    return refusal(problem);
}

} // namespace

EMSCRIPTEN_BINDINGS(attention) {
    emscripten::value_object<LessonArguments>("LessonArguments")
        .field("preset", &LessonArguments::preset)
        .field("dModel", &LessonArguments::d_model)
        .field("dK", &LessonArguments::d_k)
        .field("dV", &LessonArguments::d_v)
        .field("divisor", &LessonArguments::divisor)
        .field("mask", &LessonArguments::mask)
        .field("projections", &LessonArguments::projections)
        .field("softmaxAxis", &LessonArguments::softmax_axis)
        .field("softmax", &LessonArguments::softmax)
        .field("blend", &LessonArguments::blend)
        .field("row", &LessonArguments::row)
        .field("seed", &LessonArguments::seed);
    emscripten::value_object<AttentionArguments>("AttentionArguments")
        .field("scale", &AttentionArguments::scale)
        .field("softcap", &AttentionArguments::softcap)
        .field("isCausal", &AttentionArguments::is_causal)
        .field("queryOffset", &AttentionArguments::query_offset)
        .field("leftWindow", &AttentionArguments::left_window)
        .field("rightWindow", &AttentionArguments::right_window)
        .field("keyLength", &AttentionArguments::key_length)
        .field("maskIsBoolean", &AttentionArguments::mask_is_boolean)
        .field("stages", &AttentionArguments::stages);
    emscripten::function("lesson", &lesson);
    emscripten::function("proofs", &proofs);
    emscripten::function("comparison", &comparison);
    emscripten::function("jacobians", &jacobians);
    emscripten::function("attentionFloat32", &attention_of<float>);
    emscripten::function("attentionFloat64", &attention_of<double>);
}
