// Any bytes make a call of attention over batches and heads, right or wrong: ranks, shared heads, masks of every rank,
// offsets and lengths, numbers up to NaN and infinity. Each head of each batch must be what the readable path makes of
// its own matrices: the stages bit for bit, and the output without stages as far as rounding allows. Gradients are
// those of its own matrices too, and finite, or refused. Where a head has a problem, so has the call.
//
// libFuzzer calls this function, or run.cpp does.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "calls.hpp"
#include "gradient.hpp"
#include "multi_head_gradient.hpp"

namespace {

using namespace fuzzing;

using Shape = std::vector<std::size_t>;

/// A call, and its heads by what they are drawn from.
template <class T> struct Call {
    Tensor<T> query;
    Tensor<T> key;
    Tensor<T> value;
    Tensor<T> output_gradient;
    Tensor<std::uint8_t> boolean;
    Tensor<T> additive;
    MultiHeadOptions<T> options;
    std::size_t rank = 0;
    std::size_t batches = 0;
    std::size_t heads = 0;
    std::size_t group = 0; // heads of query that share one of key and value
    std::size_t n_query = 0;
    std::size_t n_key = 0;
    std::size_t d_k = 0;
    std::size_t d_v = 0;
    char const* wrong = nullptr; // the argument that does not fit; null where all do
};

template <class T> Tensor<T> draw_tensor(Bytes& bytes, Shape const& shape) {
    Tensor<T> tensor = Tensor<T>::from_shape(Tensor<float>::shape_type(shape.begin(), shape.end()));
    draw_numbers(bytes, tensor.data(), tensor.size());
    return tensor;
}

/// The shape of a tensor with so many heads, rows and columns of each head.
template <class T> Shape shape_in(Call<T> const& call, std::size_t heads, std::size_t rows, std::size_t width) {
    return call.rank == 4   ? Shape{call.batches, heads, rows, width}
           : call.rank == 3 ? Shape{call.batches, rows, heads * width}
                            : Shape{rows, width};
}

/// An axis of each length is kept, or repeated.
template <class T> Shape draw_mask_shape(Bytes& bytes, Call<T> const& call) {
    Shape shape = {call.batches, call.heads, call.n_query, call.n_key};
    for (std::size_t& length : shape) {
        length = bytes.toss() ? length : 1;
    }
    shape.erase(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(bytes.below(4)));
    return shape;
}

template <class T> void draw_mask(Bytes& bytes, Call<T>& call) {
    std::size_t const kind = bytes.below(4);
    Shape shape = draw_mask_shape(bytes, call);
    if (kind != 0 && bytes.seldom()) {
        shape.back() = call.n_key + 1;
        call.wrong = "mask";
    }
    if (kind == 1) {
        RandomStream stream(bytes.next());
        call.boolean = Tensor<std::uint8_t>::from_shape(Tensor<float>::shape_type(shape.begin(), shape.end()));
        for (std::uint8_t& entry : call.boolean) {
            entry = static_cast<std::uint8_t>(stream.next_word() % 3); // any number but 0 allows
        }
    } else if (kind > 1) {
        call.additive = draw_tensor<T>(bytes, shape);
    }
    if (kind == 1) {
        call.options.mask = call.boolean;
    } else if (kind > 1) {
        call.options.mask = call.additive;
    }
}

/// Options as for one head; offsets and lengths are one for all batches, or one for each.
template <class T> void draw_call_options(Bytes& bytes, Call<T>& call) {
    AttentionOptions<T> const drawn = draw_options<T>(bytes, call.n_key);
    call.options.scale = drawn.scale;
    call.options.softcap = drawn.softcap;
    call.options.is_causal = drawn.rule.is_causal;
    call.options.left_window = drawn.rule.left_window;
    call.options.right_window = drawn.rule.right_window;
    call.options.query_offset = drawn.rule.query_offset;
    if (bytes.toss()) {
        std::vector<std::ptrdiff_t> offsets(call.batches, drawn.rule.query_offset);
        offsets.back() = static_cast<std::ptrdiff_t>(bytes.below(9)) - 4;
        call.options.query_offset = std::move(offsets);
    }
    if (drawn.rule.key_length) {
        Shape lengths(call.batches, *drawn.rule.key_length);
        lengths.front() = bytes.below(call.n_key + 1);
        call.options.key_lengths = std::move(lengths);
    }
    if (call.rank == 3 || bytes.toss()) {
        call.options.heads = call.heads;
    }
    if (bytes.toss()) {
        call.options.key_value_heads = call.heads / call.group;
    }
}

/// Seldom makes one argument wrong.
template <class T> void spoil(Bytes& bytes, Call<T>& call) {
    std::size_t const kind = bytes.next();
    std::size_t const shared = call.heads / call.group;
    if (kind == 1) {
        call.options.query_offset = std::vector<std::ptrdiff_t>(call.batches + 1);
        call.wrong = "query_offset";
    } else if (kind == 2) {
        call.options.key_lengths = Shape(call.batches - 1, call.n_key);
        call.wrong = "key_lengths";
    } else if (kind == 3) {
        call.value = draw_tensor<T>(bytes, shape_in(call, shared, call.n_key + 1, call.d_v));
        call.wrong = "value";
    } else if (kind == 4) {
        call.options.key_value_heads = shared;
        call.key = draw_tensor<T>(bytes, shape_in(call, shared, call.n_key, call.d_k + 1));
        call.wrong = "key";
    } else if (kind == 5) {
        call.options.heads = 0;
        call.wrong = "heads";
    } else if (kind == 6) {
        call.query = draw_tensor<T>(bytes, {call.n_query});
        call.wrong = "query";
    } else if (kind == 7) {
        call.output_gradient = draw_tensor<T>(bytes, shape_in(call, call.heads, call.n_query, call.d_v + 1));
        call.wrong = "output_gradient";
    }
}

template <class T> void draw_call(Bytes& bytes, Call<T>& call) {
    call.rank = 2 + bytes.below(3);
    call.batches = call.rank == 2 ? 1 : 1 + bytes.below(3);
    call.group = call.rank == 2 ? 1 : 1 + bytes.below(3);
    std::size_t const shared = call.rank == 2 ? 1 : 1 + bytes.below(3);
    call.heads = shared * call.group;
    call.n_query = std::max<std::size_t>(1, draw_extent(bytes, 12, 40));
    call.n_key = std::max<std::size_t>(1, draw_extent(bytes, 16, 300));
    call.d_k = 1 + bytes.below(9);
    call.d_v = 1 + bytes.below(9);
    call.query = draw_tensor<T>(bytes, shape_in(call, call.heads, call.n_query, call.d_k));
    call.key = draw_tensor<T>(bytes, shape_in(call, shared, call.n_key, call.d_k));
    call.value = draw_tensor<T>(bytes, shape_in(call, shared, call.n_key, call.d_v));
    call.output_gradient = draw_tensor<T>(bytes, shape_in(call, call.heads, call.n_query, call.d_v));
    draw_call_options(bytes, call);
    draw_mask(bytes, call);
    if (call.wrong == nullptr) {
        spoil(bytes, call);
    }
}

/// One head's matrix out of a tensor in which all have `width` columns.
template <class T>
Matrix<T> head_of(Call<T> const& call, Tensor<T> const& tensor, std::size_t batch, std::size_t head, std::size_t rows,
                  std::size_t width) {
    Matrix<T> matrix = make_matrix<T>(rows, width);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t c = 0; c < width; ++c) {
            matrix(i, c) = call.rank == 4   ? tensor(batch, head, i, c)
                           : call.rank == 3 ? tensor(batch, i, head * width + c)
                                            : tensor(i, c);
        }
    }
    return matrix;
}

/// One head's part of a mask, every axis as long as it can be.
template <class T, class M>
Matrix<M> mask_of(Call<T> const& call, Tensor<M> const& mask, std::size_t batch, std::size_t head) {
    Matrix<M> matrix = make_matrix<M>(call.n_query, call.n_key);
    for (std::size_t i = 0; i < call.n_query; ++i) {
        for (std::size_t j = 0; j < call.n_key; ++j) {
            std::array<std::size_t, 4> const place = {batch, head, i, j};
            std::size_t entry = 0;
            for (std::size_t axis = 0; axis < mask.dimension(); ++axis) {
                std::size_t const length = mask.shape(axis);
                entry = entry * length + (length == 1 ? 0 : place[4 - mask.dimension() + axis]);
            }
            matrix(i, j) = mask.data()[entry];
        }
    }
    return matrix;
}

template <class T> HeadArguments<T> head_arguments(Call<T> const& call, std::size_t batch, std::size_t head) {
    std::size_t const shared = head / call.group;
    HeadArguments<T> one = {head_of(call, call.query, batch, head, call.n_query, call.d_k),
                            head_of(call, call.key, batch, shared, call.n_key, call.d_k),
                            head_of(call, call.value, batch, shared, call.n_key, call.d_v),
                            {call.options, {}, {}}};
    VisibilityRule& rule = one.options.rule;
    rule.is_causal = call.options.is_causal;
    rule.left_window = call.options.left_window;
    rule.right_window = call.options.right_window;
    auto const* const offset = std::get_if<std::ptrdiff_t>(&call.options.query_offset);
    rule.query_offset =
        offset != nullptr ? *offset : std::get<std::vector<std::ptrdiff_t>>(call.options.query_offset)[batch];
    if (call.options.key_lengths) {
        rule.key_length = (*call.options.key_lengths)[batch];
    }
    if (std::holds_alternative<TensorView<std::uint8_t>>(call.options.mask)) {
        one.options.mask = mask_of(call, call.boolean, batch, head);
    } else if (std::holds_alternative<TensorView<T>>(call.options.mask)) {
        one.options.mask = mask_of(call, call.additive, batch, head);
    }
    return one;
}

/// What a call gives, or the sentence that it throws.
template <class Compute> std::string sentence_thrown(Compute const& compute) {
    try {
        compute();
    } catch (ArgumentError const& error) {
        return error.what();
    }
    return "";
}

bool begins_with(std::string const& text, std::string const& start) {
    return text.compare(0, start.size(), start) == 0;
}

template <class T> void require_equal(char const* type, char const* what, T const* found, Matrix<T> const& expected) {
    if (!std::equal(expected.begin(), expected.end(), found,
                    [](T a, T b) { return a == b || (std::isnan(a) && std::isnan(b)); })) {
        fail(type, what, "a head differs from attention of its own matrices");
    }
}

/// A sum over the heads that share one, and the sum of what it adds without the signs.
struct SharedSum {
    Matrix<double> sum;
    Matrix<double> size;

    SharedSum(std::size_t rows, std::size_t columns)
        : sum(make_matrix<double>(rows, columns)), size(make_matrix<double>(rows, columns)) {}

    void clear() {
        sum.fill(0);
        size.fill(0);
    }
    template <class T> void add(Matrix<T> const& addend) {
        for (std::size_t entry = 0; entry < sum.size(); ++entry) {
            auto const number = static_cast<double>(addend.data()[entry]);
            sum.data()[entry] += number;
            size.data()[entry] += std::fabs(number);
        }
    }
};

/// Requires sums of what was rounded to T before, or was not, in whatever order.
template <class T> void require_sum(char const* type, char const* what, T const* found, SharedSum const& expected) {
    for (std::size_t entry = 0; entry < expected.sum.size(); ++entry) {
        double const sum = expected.sum.data()[entry];
        double const size = expected.size.data()[entry];
        double const allowed =
            2 * static_cast<double>(std::numeric_limits<T>::epsilon()) * size + static_cast<double>(tiny<T>);
        if (!(std::fabs(static_cast<double>(found[entry]) - sum) <= allowed)) {
            fail(type, what, "a shared head has another sum than that of its heads");
        }
    }
}

/// Requires the gradients of a call without a problem to be finite, or refused; and those of each head to be right.
template <class T>
void check_gradients(char const* type, Call<T> const& call, std::vector<HeadArguments<T>> const& heads) {
    std::string const refused =
        sentence_of(find_problem<T>(call.query, call.key, call.value, call.output_gradient, call.options));
    MultiHeadGradients<T> gradients;
    std::string const thrown = sentence_thrown([&] {
        gradients = multi_head_gradients<T>(call.query, call.key, call.value, call.output_gradient, call.options);
    });
    bool const overflows = refused.empty() && begins_with(thrown, "the gradient of ");
    if (overflows) {
        return;
    }
    require_same(type, "gradients", thrown, refused);
    if (!refused.empty()) {
        if (!begins_with(refused, "output_gradient ")) {
            fail(type, "gradients", refused);
        }
        return;
    }
    for (Tensor<T> const* gradient : {&gradients.query, &gradients.key, &gradients.value, &gradients.scores}) {
        if (!std::all_of(gradient->begin(), gradient->end(), [](T number) { return std::isfinite(number); })) {
            fail(type, "gradients", "one is not finite");
        }
    }
    std::size_t const stage_size = call.n_query * call.n_key;
    // Sums over queries are added up in another order where not all queries are taken at once.
    bool const at_once = stage_size * sizeof(T) <= std::size_t(1) << 16;
    SharedSum key(call.n_key, call.d_k);
    SharedSum value(call.n_key, call.d_v);
    for (std::size_t index = 0; index < heads.size(); ++index) {
        HeadArguments<T> const& one = heads[index];
        std::size_t const batch = index / call.heads;
        std::size_t const head = index % call.heads;
        Matrix<T> const output_gradient = head_of(call, call.output_gradient, batch, head, call.n_query, call.d_v);
        Attention<T> const stages = attend(one.query, one.key, one.value, one.options);
        AttentionGradients<T> expected;
        if (!sentence_thrown([&] {
                 expected = attention_gradients(one.query, one.key, one.value, output_gradient, one.options);
             }).empty()) {
            return; // what a head adds overflows, and the sum does not
        }
        require_equal(type, "gradient of scores", gradients.scores.data() + index * stage_size, expected.scores);
        require_equal(type, "gradient of query",
                      head_of(call, gradients.query, batch, head, call.n_query, call.d_k).data(), expected.query);
        // A shared head gets the sum of what reaches it.
        if (head % call.group == 0) {
            key.clear();
            value.clear();
        }
        key.add(expected.key);
        value.add(expected.value);
        if (at_once && head % call.group == call.group - 1) {
            std::size_t const shared = head / call.group;
            require_sum(type, "gradient of key",
                        head_of(call, gradients.key, batch, shared, call.n_key, call.d_k).data(), key);
            require_sum(type, "gradient of value",
                        head_of(call, gradients.value, batch, shared, call.n_key, call.d_v).data(), value);
        }
        for (std::size_t entry = 0; entry < stage_size; ++entry) {
            if (stages.visible.data()[entry] == 0 && gradients.scores.data()[index * stage_size + entry] != T(0)) {
                fail(type, "gradient of scores", "a hidden cell has one");
            }
        }
    }
}

template <class T> void check(Call<T> const& call) {
    char const* const type = std::is_same_v<T, float> ? "float32" : "float64";
    MultiHeadAttention<T> whole;
    MultiHeadAttention<T> alone;
    std::string const refused = sentence_of(find_problem<T>(call.query, call.key, call.value, call.options));
    std::string const thrown = sentence_thrown([&] {
        whole = multi_head_attention<T>(call.query, call.key, call.value, call.options, {true, true, true, true});
    });
    std::string const thrown_alone =
        sentence_thrown([&] { alone = multi_head_attention<T>(call.query, call.key, call.value, call.options); });
    require_same(type, "without stages", thrown_alone, thrown);
    if (!begins_with(thrown, "scores overflow ")) {
        require_same(type, "with stages", thrown, refused);
    }
    if (call.wrong != nullptr) {
        std::string const sentence =
            sentence_of(find_problem<T>(call.query, call.key, call.value, call.output_gradient, call.options));
        if (sentence.empty()) {
            fail(type, call.wrong, "is wrong, and nothing was said");
        }
        return;
    }

    std::vector<HeadArguments<T>> heads;
    bool has_problem = false;
    for (std::size_t batch = 0; batch < call.batches; ++batch) {
        for (std::size_t head = 0; head < call.heads; ++head) {
            heads.push_back(head_arguments(call, batch, head));
            HeadArguments<T> const& one = heads.back();
            has_problem = has_problem || !sentence_thrown([&] {
                                              scaled_dot_product_attention(one.query, one.key, one.value, one.options);
                                          }).empty();
        }
    }
    if (has_problem != !thrown.empty()) {
        fail(type, "call", has_problem ? "a head has a problem and the call has none" : thrown);
    }
    if (has_problem) {
        return;
    }
    std::size_t const stage_size = call.n_query * call.n_key;
    for (std::size_t index = 0; index < heads.size(); ++index) {
        HeadArguments<T> const& one = heads[index];
        std::size_t const batch = index / call.heads;
        std::size_t const head = index % call.heads;
        Attention<T> const stages = attend(one.query, one.key, one.value, one.options);
        std::size_t const first = index * stage_size;
        require_equal(type, "scores", whole.scores->data() + first, stages.scores);
        require_equal(type, "capped", whole.capped->data() + first, stages.capped);
        require_equal(type, "masked", whole.masked->data() + first, stages.masked);
        require_equal(type, "weights", whole.weights->data() + first, stages.weights);
        require_equal(type, "output", head_of(call, whole.output, batch, head, call.n_query, call.d_v).data(),
                      stages.output);
        std::string const wrong = difference(
            one, stages.visible, head_of(call, alone.output, batch, head, call.n_query, call.d_v), stages.output);
        if (!wrong.empty()) {
            fail(type, "without stages", wrong);
        }
    }
    check_gradients(type, call, heads);
}

template <class T> void draw_and_check(Bytes& bytes) {
    Call<T> call; // whose options refer to its masks
    draw_call(bytes, call);
    check(call);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    Bytes bytes(data, size);
    if (bytes.toss()) {
        draw_and_check<double>(bytes);
    } else {
        draw_and_check<float>(bytes);
    }
    return 0;
}
