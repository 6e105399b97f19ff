// The table between JavaScript and the core, without logic. A call takes plain values and gives one array of numbers,
// packed in the order in which engine.js unpacks it: crossing once costs less than the arithmetic of a six-token
// lesson, crossing once a matrix costs several times as much.

#include <emscripten/bind.h>

#include <string>
#include <vector>

#include "attention.hpp"
#include "lesson.hpp"

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

/// Runs a function of the core. What it throws comes back as an object, {argument, found, expected} or {message}.
template <class Function> val guarded(Function const& function) {
    val problem = val::object();
    try {
        function();
        return val::undefined();
    } catch (attention::ArgumentError const& error) {
        problem.set("argument", error.argument());
        problem.set("found", error.found());
        problem.set("expected", error.expected());
    } catch (std::exception const& error) {
        problem.set("message", std::string(error.what()));
    }
    return problem;
}

/// A lesson's state as JavaScript writes it, less the tokens.
struct LessonArguments {
    std::string preset;
    unsigned d_model;
    unsigned d_k;
    unsigned d_v;
    std::string divisor;
    std::string mask;
    std::string projections;
    std::string softmax_axis;
    std::string softmax;
    unsigned row;
    unsigned seed;
};

attention::LessonState lesson_state(val const& tokens, LessonArguments const& arguments) {
    attention::LessonState state;
    state.preset = attention::parse_preset(arguments.preset);
    state.tokens = emscripten::vecFromJSArray<std::string>(tokens);
    state.d_model = arguments.d_model;
    state.d_k = arguments.d_k;
    state.d_v = arguments.d_v;
    state.divisor = attention::parse_divisor(arguments.divisor);
    state.mask = attention::parse_mask(arguments.mask);
    state.projections = attention::parse_projections(arguments.projections);
    state.softmax_axis = attention::parse_softmax_axis(arguments.softmax_axis);
    state.softmax = attention::parse_softmax(arguments.softmax);
    state.row = arguments.row;
    state.seed = arguments.seed;
    return state;
}

val lesson(val const& tokens, LessonArguments const& arguments, val const& receive) {
    return guarded([&] {
        attention::Lesson const lesson = attention::lesson(lesson_state(tokens, arguments));
        attention::RowMetrics const& rows = lesson.rows;
        attention::Worksheet const& sheet = lesson.worksheet;
        double const no_law = -1;
        deliver_all(receive, lesson.X, lesson.W_q, lesson.W_k, lesson.W_v, lesson.Q, lesson.K, lesson.V, lesson.scores,
                    lesson.scaled, lesson.masked, lesson.weights, lesson.output, lesson.visible, lesson.divisor,
                    lesson.spread, lesson.expected_spread.value_or(no_law), rows.peak, rows.entropy,
                    rows.maximum_entropy, rows.jacobian, rows.row_sum, rows.state, rows.gradient, sheet.products,
                    sheet.subtracted, sheet.shifted, sheet.exponentials, sheet.totals, sheet.contributions);
    });
}

std::string softmax_state_name(unsigned state) {
    return attention::name_of(static_cast<attention::SoftmaxState>(state));
}

std::string gradient_state_name(unsigned state) {
    return attention::name_of(static_cast<attention::GradientState>(state));
}

template <class T> attention::Matrix<T> matrix_from(val const& tensor) {
    attention::Matrix<T> matrix =
        attention::Matrix<T>::from_shape({tensor["shape"][0].as<std::size_t>(), tensor["shape"][1].as<std::size_t>()});
    val(view(matrix)).call<void>("set", tensor["data"]);
    return matrix;
}

/// Every option is present, and null where the caller left it out.
template <class T> attention::AttentionOptions<T> attention_options(val const& call) {
    attention::AttentionOptions<T> options;
    if (!call["scale"].isNull()) {
        options.scale = call["scale"].as<T>();
    }
    options.softcap = call["softcap"].as<T>();
    options.rule.is_causal = call["isCausal"].as<bool>();
    options.rule.query_offset = call["queryOffset"].as<int>();
    options.rule.left_window = call["leftWindow"].as<int>();
    options.rule.right_window = call["rightWindow"].as<int>();
    if (!call["keyLength"].isNull()) {
        options.rule.key_length = call["keyLength"].as<std::size_t>();
    }
    if (!call["booleanMask"].isNull()) {
        options.mask = matrix_from<std::uint8_t>(call["booleanMask"]);
    } else if (!call["additiveMask"].isNull()) {
        options.mask = matrix_from<T>(call["additiveMask"]);
    }
    return options;
}

/// The output, then the stages that `returns` names, in its order.
template <class T> val attention_of(val const& call, val const& receive) {
    return guarded([&] {
        attention::Attention<T> const stages =
            attention::scaled_dot_product_attention(matrix_from<T>(call["query"]), matrix_from<T>(call["key"]),
                                                    matrix_from<T>(call["value"]), attention_options<T>(call));
        std::vector<T> numbers;
        append(numbers, stages.output);
        for (std::string const& stage : emscripten::vecFromJSArray<std::string>(call["returns"])) {
            append(numbers, stage == "scores"   ? stages.scores
                            : stage == "capped" ? stages.capped
                            : stage == "masked" ? stages.masked
                                                : stages.weights);
        }
        deliver(receive, numbers);
    });
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
        .field("row", &LessonArguments::row)
        .field("seed", &LessonArguments::seed);
    emscripten::function("lesson", &lesson);
    emscripten::function("softmaxStateName", &softmax_state_name);
    emscripten::function("gradientStateName", &gradient_state_name);
    emscripten::function("attentionFloat32", &attention_of<float>);
    emscripten::function("attentionFloat64", &attention_of<double>);
}
