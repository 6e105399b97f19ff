// Any bytes make a call of attention, right or wrong: shapes, strides, options, masks, numbers up to NaN and infinity.
// The fast path, with every instruction set, must give what the readable path gives: the same output as far as rounding
// allows, or the same sentence; and nothing may be read or written beside the tensors.
//
// libFuzzer calls this function, or run.cpp does.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "attention_gradient.hpp"
#include "calls.hpp"
#include "fused.hpp"
#include "fused_tiles.hpp"
#include "independent.hpp"

namespace {

using namespace fuzzing;

/// A call as the readable path takes it, and how its tensors lie in memory on the fast one.
template <class T> struct Call : HeadArguments<T> {
    std::size_t output_rows = 0;
    std::size_t output_columns = 0;
    std::size_t gap = 0;         // numbers between the rows of a tensor
    bool runs_backwards = false; // the last row comes first
    bool mask_is_turned = false; // the mask lies column by column
};

template <class T> AttentionOptions<T> draw_masked_options(Bytes& bytes, std::size_t n_query, std::size_t n_key) {
    AttentionOptions<T> options = draw_options<T>(bytes, n_key);
    std::size_t const kind = bytes.below(4);
    std::size_t const rows = bytes.seldom() ? 3 : bytes.toss() ? 1 : n_query;
    std::size_t const columns = bytes.seldom() ? 3 : bytes.toss() ? 1 : n_key;
    if (kind == 1) {
        RandomStream stream(bytes.next());
        Visibility allowed = make_matrix<std::uint8_t>(rows, columns);
        for (std::uint8_t& entry : allowed) {
            entry = static_cast<std::uint8_t>(stream.next_word() % 3); // any number but 0 allows
        }
        options.mask = allowed;
    } else if (kind > 1) {
        options.mask = draw_matrix<T>(bytes, rows, columns);
    }
    return options;
}

template <class T> Call<T> draw_call(Bytes& bytes) {
    Call<T> call;
    std::size_t const n_query = draw_extent(bytes, 20, 70);
    std::size_t const n_key = draw_extent(bytes, 20, 420);
    std::size_t const d_k = draw_extent(bytes, 10, 40);
    std::size_t const d_v = draw_extent(bytes, 10, 40);
    std::size_t const wrong = bytes.next(); // one of the shapes, and mostly none
    call.query = draw_matrix<T>(bytes, n_query, d_k);
    call.key = draw_matrix<T>(bytes, n_key, d_k + (wrong == 1 ? 1 : 0));
    call.value = draw_matrix<T>(bytes, n_key + (wrong == 2 ? 1 : 0), d_v);
    call.options = draw_masked_options<T>(bytes, n_query, n_key);
    call.output_rows = n_query + (wrong == 3 ? 1 : 0);
    call.output_columns = d_v + (wrong == 4 ? 1 : 0);
    call.gap = bytes.below(4);
    call.runs_backwards = bytes.toss();
    call.mask_is_turned = bytes.toss();
    return call;
}

/// A tensor in memory of its own, no number longer than it takes, with NaN in the gaps between its rows.
template <class T> struct Laid {
    std::vector<T> memory;
    std::size_t rows;
    std::size_t columns;
    std::ptrdiff_t stride;
    std::ptrdiff_t first; // where row 0 begins

    Laid(std::size_t row_count, std::size_t column_count, std::size_t gap, bool runs_backwards)
        : memory(row_count == 0 ? 0 : row_count * column_count + (row_count - 1) * gap, not_a_number<T>),
          rows(row_count), columns(column_count), stride(static_cast<std::ptrdiff_t>(column_count + gap)), first(0) {
        if (runs_backwards && row_count != 0) {
            first = static_cast<std::ptrdiff_t>(row_count - 1) * stride;
            stride = -stride;
        }
    }

    std::size_t place(std::size_t i, std::size_t c) const {
        return static_cast<std::size_t>(first + static_cast<std::ptrdiff_t>(i) * stride) + c;
    }
    template <class Entry> StridedMatrix<Entry> view() { return {memory.data() + first, rows, columns, stride}; }
};

template <class T> Laid<T> laid_out(Matrix<T> const& matrix, Call<T> const& call) {
    Laid<T> laid(matrix.shape(0), matrix.shape(1), call.gap, call.runs_backwards);
    for (std::size_t i = 0; i < laid.rows; ++i) {
        for (std::size_t c = 0; c < laid.columns; ++c) {
            laid.memory[laid.place(i, c)] = matrix(i, c);
        }
    }
    return laid;
}

/// A view of a mask whose axes of length 1 are repeated. `turned` holds it column by column.
template <class M> StridedMask<M> view_of(Matrix<M> const& mask, std::vector<M>& turned, bool is_turned) {
    auto const rows = static_cast<std::ptrdiff_t>(mask.shape(0));
    auto const columns = static_cast<std::ptrdiff_t>(mask.shape(1));
    turned.clear();
    for (std::size_t j = 0; is_turned && j < mask.shape(1); ++j) {
        for (std::size_t i = 0; i < mask.shape(0); ++i) {
            turned.push_back(mask(i, j));
        }
    }
    return {is_turned ? turned.data() : mask.data(),
            rows == 1   ? 0
            : is_turned ? 1
                        : columns,
            columns == 1 ? 0
            : is_turned  ? rows
                         : 1};
}

/// What comes of a call: a sentence, or an output.
template <class T> struct Outcome {
    std::string sentence;
    Matrix<T> output;
    Visibility visible; // the readable path's
};

template <class T> Outcome<T> attend_readably(Call<T> const& call, AttentionOptions<T> const& options) {
    Outcome<T> outcome;
    outcome.sentence = sentence_of(find_problem(call.query, call.key, call.value, options));
    if (outcome.sentence.empty()) {
        Attention<T> const stages = attend(call.query, call.key, call.value, options);
        outcome.sentence = sentence_of(find_overflow(stages));
        outcome.output = stages.output;
        outcome.visible = stages.visible;
    }
    return outcome;
}

template <class T> Outcome<T> attend_fast(Call<T> const& call) {
    Laid<T> query = laid_out(call.query, call);
    Laid<T> key = laid_out(call.key, call);
    Laid<T> value = laid_out(call.value, call);
    Laid<T> output(call.output_rows, call.output_columns, call.gap, call.runs_backwards);
    std::vector<std::uint8_t> turned_allowed;
    std::vector<T> turned_added;
    FusedOptions<T> options = {call.options, call.options.rule, {}};
    if (auto const* allowed = std::get_if<Visibility>(&call.options.mask)) {
        options.mask = view_of(*allowed, turned_allowed, call.mask_is_turned);
    } else if (auto const* added = std::get_if<Matrix<T>>(&call.options.mask)) {
        options.mask = view_of(*added, turned_added, call.mask_is_turned);
    }
    FusedWorkspace<T> workspace;
    Outcome<T> outcome;
    outcome.sentence =
        sentence_of(fused_attention<T>(query.template view<T const>(), key.template view<T const>(),
                                       value.template view<T const>(), options, output.template view<T>(), workspace));
    outcome.output = make_matrix<T>(output.rows, output.columns);
    for (std::size_t i = 0; i < output.rows; ++i) {
        for (std::size_t c = 0; c < output.columns; ++c) {
            outcome.output(i, c) = output.memory[output.place(i, c)];
            output.memory[output.place(i, c)] = not_a_number<T>;
        }
    }
    if (!std::all_of(output.memory.begin(), output.memory.end(), [](T number) { return std::isnan(number); })) {
        outcome.sentence = "the gaps between the output's rows were written to";
    }
    return outcome;
}

/// The same options with 0 for entries of an additive mask that the rule hides: the fast path does not look at them.
template <class T> AttentionOptions<T> without_hidden_entries(Call<T> const& call) {
    AttentionOptions<T> options = call.options;
    auto const* const added = std::get_if<Matrix<T>>(&call.options.mask);
    if (added != nullptr && !find_shape_problem(call.query, call.key, call.value) &&
        !find_problem(options.rule, call.key.shape(0))) {
        Visibility const visible = visibility(call.query.shape(0), call.key.shape(0), options.rule);
        Matrix<T> whole = make_matrix<T>(visible.shape(0), visible.shape(1));
        for (std::size_t i = 0; i < whole.shape(0); ++i) {
            for (std::size_t j = 0; j < whole.shape(1); ++j) {
                whole(i, j) = visible(i, j) == 0 ? T(0) : entry_of(*added, i, j);
            }
        }
        options.mask = whole;
    }
    return options;
}

/// Whether a mask has the shape that its view would be read in.
template <class T> bool mask_fits(Call<T> const& call) {
    auto const fits = [&](auto const& mask) {
        return (mask.shape(0) == 1 || mask.shape(0) == call.query.shape(0)) &&
               (mask.shape(1) == 1 || mask.shape(1) == call.key.shape(0));
    };
    auto const* const allowed = std::get_if<Visibility>(&call.options.mask);
    auto const* const added = std::get_if<Matrix<T>>(&call.options.mask);
    return (allowed == nullptr || fits(*allowed)) && (added == nullptr || fits(*added));
}

/// The gradients of a call without a problem, beside the independent ones.
template <class T> void check_gradients(char const* type, Call<T> const& call) {
    Matrix<T> output_gradient = make_matrix<T>(call.query.shape(0), call.value.shape(1));
    RandomStream stream(call.query.size() + 31 * call.key.size());
    for (T& entry : output_gradient) {
        entry = static_cast<T>(stream.next_normal());
    }
    AttentionGradients<T> found;
    try {
        found = attention_gradients(call.query, call.key, call.value, output_gradient, call.options);
    } catch (ArgumentError const&) {
        return; // one overflows
    }
    Independent const exact = independent(call, &output_gradient);
    Number const amplification = amplification_of(call, exact);
    if (!(amplification < 1e-3L)) {
        return; // roundings alone decide
    }
    Number const least = least_of(call, output_gradient);
    require_gradient(type, "query", found.query, exact.query, exact.query_size, amplification, least);
    require_gradient(type, "key", found.key, exact.key, exact.key_size, amplification, least);
    require_gradient(type, "value", found.value, exact.value, exact.value_size, amplification, least);
}

template <class T> void check(Call<T> const& call) {
    char const* const type = std::is_same_v<T, float> ? "float32" : "float64";

    // What the readable path throws is what it says beforehand.
    Outcome<T> const plain = attend_readably(call, call.options);
    std::string thrown;
    try {
        Matrix<T> const output = scaled_dot_product_attention(call.query, call.key, call.value, call.options).output;
        if (!std::equal(output.begin(), output.end(), plain.output.begin(), plain.output.end(),
                        [](T a, T b) { return a == b || (std::isnan(a) && std::isnan(b)); })) {
            fail(type, "readable", "the stages' output is another");
        }
    } catch (ArgumentError const& error) {
        thrown = error.what();
    }
    require_same(type, "readable", thrown, plain.sentence);
    if (!mask_fits(call)) {
        return; // A view of a mask cannot tell that it has the wrong shape.
    }

    AttentionOptions<T> const options = without_hidden_entries(call);
    Outcome<T> expected = attend_readably(call, options);
    bool const fits = call.output_rows == call.query.shape(0) && call.output_columns == call.value.shape(1);
    if (!fits && !find_shape_problem(call.query, call.key, call.value)) {
        expected.sentence =
            sentence_of(describe_problem("output", {"has shape ", MessagePart(call.output_rows, call.output_columns)},
                                         {"(n_query, d_v) = ", MessagePart(call.query.shape(0), call.value.shape(1))}));
    }
    if (expected.sentence.empty()) {
        std::string const wrong = independent_difference(call, expected.output);
        if (!wrong.empty()) {
            fail(type, "readable, beside the independent answer", wrong);
        }
        check_gradients(type, call);
    }
    for (FusedInstructionSet const& set : supported_instruction_sets()) {
        use_instruction_set(set);
        Outcome<T> const fast = attend_fast(call);
        require_same(type, set.name, fast.sentence, expected.sentence);
        if (expected.sentence.empty()) {
            std::string const wrong = difference(call, expected.visible, fast.output, expected.output);
            if (!wrong.empty()) {
                fail(type, set.name, wrong);
            }
            std::string const beside_independent = independent_difference(call, fast.output);
            if (!beside_independent.empty()) {
                fail(type, set.name, "beside the independent answer, " + beside_independent);
            }
        }
    }
    use_instruction_set(supported_instruction_sets().front());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    Bytes bytes(data, size);
    if (bytes.toss()) {
        check(draw_call<double>(bytes));
    } else {
        check(draw_call<float>(bytes));
    }
    return 0;
}
