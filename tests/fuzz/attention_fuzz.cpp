// Any bytes make a call of attention, right or wrong: shapes, strides, options, masks, numbers up to NaN and infinity.
// The fast path, with every instruction set, must give what the readable path gives: the same output as far as rounding
// allows, or the same sentence; and nothing may be read or written beside the tensors.
//
// libFuzzer calls this function, or run.cpp does.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "attention.hpp"
#include "fused.hpp"
#include "fused_tiles.hpp"
#include "random.hpp"

namespace {

using namespace attention;

/// The input, byte by byte; zeros after its end.
class Bytes {
  public:
    Bytes(std::uint8_t const* data, std::size_t size) : next_(data), end_(data + size) {}

    std::uint8_t next() { return next_ == end_ ? std::uint8_t(0) : *next_++; }
    bool toss() { return next() % 2 != 0; }
    /// Once in sixteen times, and never at the end of the input.
    bool seldom() { return next() % 16 == 15; }
    std::size_t below(std::size_t limit) { return next() % limit; }
    template <class Value, std::size_t n> Value one_of(std::array<Value, n> const& values) { return values[below(n)]; }

  private:
    std::uint8_t const* next_;
    std::uint8_t const* end_;
};

template <class T> constexpr T huge = std::numeric_limits<T>::max();
template <class T> constexpr T tiny = std::numeric_limits<T>::denorm_min();
template <class T> constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();
template <class T> constexpr T infinity = std::numeric_limits<T>::infinity();

/// A call as the readable path takes it, and how its tensors lie in memory on the fast one.
template <class T> struct Call {
    Matrix<T> query;
    Matrix<T> key;
    Matrix<T> value;
    AttentionOptions<T> options;
    std::size_t output_rows = 0;
    std::size_t output_columns = 0;
    std::size_t gap = 0;         // numbers between the rows of a tensor
    bool runs_backwards = false; // the last row comes first
    bool mask_is_turned = false; // the mask lies column by column
};

/// An axis: mostly short, so that all edges of tiles are met; seldom empty, or long enough for several blocks of keys.
std::size_t draw_extent(Bytes& bytes, std::size_t usual, std::size_t most) {
    std::size_t const drawn = bytes.next();
    return drawn == 255 ? 0 : drawn >= 248 ? usual + (most - usual) * (drawn - 247) / 7 : 1 + drawn % usual;
}

/// Random numbers of one size, and a few of any kind among them.
template <class T> Matrix<T> draw_matrix(Bytes& bytes, std::size_t rows, std::size_t columns) {
    static constexpr std::array<T, 8> sizes = {T(1), T(1), T(1), T(0.1), T(30), T(0), T(1e15), T(1e-20)};
    static std::array<T, 14> const kinds = {
        T(0),     T(-0.0),     T(1),         -huge<T>,        tiny<T>,        T(-1e9),  T(1e9),
        T(1e-30), infinity<T>, -infinity<T>, not_a_number<T>, huge<T> / T(2), T(-1e18), std::sqrt(huge<T>)};
    Matrix<T> matrix = make_matrix<T>(rows, columns);
    double const size = static_cast<double>(bytes.one_of(sizes));
    RandomStream stream(bytes.next());
    for (T& entry : matrix) {
        entry = static_cast<T>(size * stream.next_normal());
    }
    std::size_t const strays = bytes.toss() ? bytes.below(4) : 0;
    for (std::size_t stray = 0; stray < strays && matrix.size() != 0; ++stray) {
        std::size_t const place = (bytes.next() * std::size_t(256) + bytes.next()) % matrix.size();
        matrix.data()[place] = bytes.one_of(kinds);
    }
    return matrix;
}

template <class T> AttentionOptions<T> draw_options(Bytes& bytes, std::size_t n_query, std::size_t n_key) {
    static constexpr std::array<T, 9> scales = {T(0.3), T(1),    T(-0.7), T(0),           T(1e-30),
                                                T(40),  T(1e30), huge<T>, not_a_number<T>};
    static constexpr std::array<T, 9> caps = {T(5),    T(0.01), T(50),           T(1e-30),   T(1e30),
                                              tiny<T>, T(-1),   not_a_number<T>, infinity<T>};
    static constexpr std::array<std::ptrdiff_t, 6> far = {farthest_offset,
                                                          -farthest_offset,
                                                          farthest_offset + 1,
                                                          -farthest_offset - 1,
                                                          std::numeric_limits<std::ptrdiff_t>::max(),
                                                          std::numeric_limits<std::ptrdiff_t>::min()};
    auto const draw_window = [&](std::ptrdiff_t none) {
        std::size_t const kind = bytes.below(16);
        return kind < 8 ? none : kind < 15 ? static_cast<std::ptrdiff_t>(bytes.below(20)) : bytes.one_of(far);
    };
    AttentionOptions<T> options;
    if (bytes.toss()) {
        options.scale = bytes.one_of(scales);
    }
    if (bytes.below(4) == 3) {
        options.softcap = bytes.one_of(caps);
    }
    options.rule.is_causal = bytes.toss();
    options.rule.query_offset = draw_window(0);
    if (bytes.toss() && options.rule.query_offset < 20) {
        options.rule.query_offset = options.rule.query_offset < 0 ? 0 : -options.rule.query_offset;
    }
    options.rule.left_window = draw_window(-1);
    options.rule.right_window = draw_window(-1);
    if (bytes.toss()) {
        options.rule.key_length = bytes.below(n_key + 2);
    }
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
    call.options = draw_options<T>(bytes, n_query, n_key);
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

std::string sentence_of(Problem const& problem) {
    return problem ? problem->sentence() : "";
}

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
    FusedOptions<T> options = {call.options.scale, call.options.softcap, call.options.rule, {}};
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

/// The entry of a mask for a query and a key; an axis of length 1 is repeated.
template <class T> T entry_of(Matrix<T> const& mask, std::size_t query, std::size_t key) {
    return mask(mask.shape(0) == 1 ? 0 : query, mask.shape(1) == 1 ? 0 : key);
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

/// How far two right outputs of a query may lie apart. Scores are sums of d_k rounded products, one rounding follows
/// another for the scale, the cap and the mask; e^(s + error) is e^s times at most e^error; and an output is a mean of
/// values by weights, each of them as wrong as that.
template <class T> double allowed_error(Call<T> const& call, Visibility const& visible, std::size_t query) {
    double const rounding = static_cast<double>(std::numeric_limits<T>::epsilon());
    double const scale = std::fabs(static_cast<double>(scale_of(call.options, call.query.shape(1))));
    auto const d_k = static_cast<double>(call.query.shape(1));
    double error_of_score = 0;
    double largest_value = 0;
    for (std::size_t j = 0; j < call.key.shape(0); ++j) {
        if (visible(query, j) == 0) {
            continue;
        }
        double products = 0;
        for (std::size_t c = 0; c < call.query.shape(1); ++c) {
            products += std::fabs(static_cast<double>(call.query(query, c)) * static_cast<double>(call.key(j, c)));
        }
        // Products below the smallest number vanish.
        double error = scale * ((d_k + 4) * rounding * products + d_k * static_cast<double>(tiny<T>));
        if (call.options.softcap != T(0)) {
            error += 16 * rounding * std::min(scale * products, static_cast<double>(call.options.softcap));
        }
        if (auto const* const added = std::get_if<Matrix<T>>(&call.options.mask)) {
            double const entry = std::fabs(static_cast<double>(entry_of(*added, query, j)));
            error += 2 * rounding * (entry + scale * products);
        }
        error_of_score = std::max(error_of_score, error);
        for (std::size_t c = 0; c < call.value.shape(1); ++c) {
            largest_value = std::max(largest_value, std::fabs(static_cast<double>(call.value(j, c))));
        }
    }
    auto const n_key = static_cast<double>(call.key.shape(0));
    double const of_weights = 2 * std::expm1(std::min(2 * error_of_score, 50.0)) + (n_key + 40) * rounding;
    return largest_value * std::min(of_weights, 3.0) + n_key * static_cast<double>(tiny<T>);
}

/// What of the fast path's output is wrong, or "".
template <class T>
std::string difference(Call<T> const& call, Visibility const& visible, Matrix<T> const& fast, Matrix<T> const& slow) {
    for (std::size_t i = 0; i < slow.shape(0); ++i) {
        bool sees_any = false;
        for (std::size_t j = 0; j < visible.shape(1); ++j) {
            sees_any = sees_any || visible(i, j) != 0;
        }
        double const allowed = sees_any ? allowed_error(call, visible, i) : 0;
        for (std::size_t c = 0; c < slow.shape(1); ++c) {
            double const found = static_cast<double>(fast(i, c));
            double const expected = static_cast<double>(slow(i, c));
            bool const agrees =
                sees_any ? found == expected || std::fabs(found - expected) <= allowed : found == 0 && expected == 0;
            if (!agrees) {
                std::array<char, 160> text{};
                std::snprintf(text.data(), text.size(), "output (%zu, %zu) is %.17g instead of %.17g +- %.3g", i, c,
                              found, expected, allowed);
                return text.data();
            }
        }
    }
    return "";
}

[[noreturn]] void fail(char const* type, char const* path, std::string const& what) {
    std::fprintf(stderr, "%s, %s: %s\n", type, path, what.c_str());
    std::abort();
}

void require_same(char const* type, char const* path, std::string const& found, std::string const& expected) {
    if (found != expected) {
        fail(type, path, "\"" + found + "\" instead of \"" + expected + "\"");
    }
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
            sentence_of(describe_problem("output", {"has shape ", Part(call.output_rows, call.output_columns)},
                                         {"(n_query, d_v) = ", Part(call.query.shape(0), call.value.shape(1))}));
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
