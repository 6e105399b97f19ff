// The table between JavaScript and the attention of the core, for programs that bring tensors of their own.

#include "packing.hpp"

#include <cmath>

#include "attention.hpp"

namespace {

using emscripten::val;
using packing::Arguments;

template <class T> attention::Matrix<T> matrix_from(Arguments& arguments, val const& data) {
    std::size_t const rows = arguments.size();
    std::size_t const columns = arguments.size();
    attention::Matrix<T> matrix = attention::Matrix<T>::from_shape({rows, columns});
    packing::view(matrix).template call<void>("set", data);
    return matrix;
}

enum class MaskKind { none, boolean, additive };

/// NaN stands for a scale and -1 for a length that the caller left out: the JavaScript side refuses both as values.
template <class T> attention::AttentionOptions<T> attention_options(Arguments& arguments, val const& mask) {
    attention::AttentionOptions<T> options;
    double const scale = arguments.number();
    if (!std::isnan(scale)) {
        options.scale = static_cast<T>(scale);
    }
    options.softcap = static_cast<T>(arguments.number());
    options.rule.is_causal = arguments.number() != 0;
    options.rule.query_offset = static_cast<std::ptrdiff_t>(arguments.number());
    options.rule.left_window = static_cast<std::ptrdiff_t>(arguments.number());
    options.rule.right_window = static_cast<std::ptrdiff_t>(arguments.number());
    double const key_length = arguments.number();
    if (key_length >= 0) {
        options.rule.key_length = static_cast<std::size_t>(key_length);
    }
    MaskKind kind{};
    arguments.choose(kind);
    if (kind == MaskKind::boolean) {
        options.mask = matrix_from<std::uint8_t>(arguments, mask);
    } else if (kind == MaskKind::additive) {
        options.mask = matrix_from<T>(arguments, mask);
    }
    return options;
}

/// The output, then the stages that were asked for.
template <class T>
void attention_of(val const& query_data, val const& key_data, val const& value_data, val const& mask_data,
                  val const& packed, std::size_t size, val const& receiver) {
    Arguments arguments(packed, size);
    attention::Matrix<T> const query = matrix_from<T>(arguments, query_data);
    attention::Matrix<T> const key = matrix_from<T>(arguments, key_data);
    attention::Matrix<T> const value = matrix_from<T>(arguments, value_data);
    attention::AttentionOptions<T> const options = attention_options<T>(arguments, mask_data);
    if (packing::is_refused(receiver, attention::find_problem(query, key, value, options))) {
        return;
    }
    attention::Attention<T> const result = attention::attend(query, key, value, options);
    if (packing::is_refused(receiver, attention::find_overflow(result))) {
        return;
    }
    std::vector<T> numbers;
    packing::append(numbers, result.output);
    for (auto const* stage : {&result.scores, &result.capped, &result.masked, &result.weights}) {
        if (arguments.number() != 0) {
            packing::append(numbers, *stage);
        }
    }
    packing::deliver(receiver, numbers);
}

} // namespace

EMSCRIPTEN_BINDINGS(attention) {
    emscripten::function("attentionFloat32", &attention_of<float>);
    emscripten::function("attentionFloat64", &attention_of<double>);
}
