// What may be wrong with a call of attention over batches and heads, or of its gradients.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "heads.hpp"
#include "multi_head_gradient.hpp"

namespace attention {
namespace {

template <class T> MessagePart shape_of(TensorView<T> const& tensor) {
    return MessagePart::of(tensor.shape, tensor.rank);
}

/// Where the entry with this number, counted from 0, stands in a tensor of rank 1 to 4.
template <class T> std::array<std::size_t, 4> place_of(TensorView<T> const& tensor, std::size_t index) {
    std::array<std::size_t, 4> place{};
    for (std::size_t axis = tensor.rank; axis > 0; --axis) {
        std::size_t const length = tensor.shape[axis - 1];
        place[axis - 1] = index % length;
        index /= length;
    }
    return place;
}

/// The entry with this number, of a tensor that is not row-major.
template <class T> T const* entry_of(TensorView<T> const& tensor, std::size_t index) {
    std::array<std::size_t, 4> const place = place_of(tensor, index);
    T const* entry = tensor.data;
    for (std::size_t axis = 0; axis < tensor.rank; ++axis) {
        entry += static_cast<std::ptrdiff_t>(place[axis]) * tensor.strides[axis];
    }
    return entry;
}

/// Requires a tensor to have as many heads as an option says.
template <class T>
void require_heads(Requirements& requirements, char const* option, std::optional<std::size_t> const& heads,
                   char const* name, TensorView<T> const& tensor) {
    if (!heads) {
        return;
    }
    if (tensor.rank == 3) {
        requirements.require(*heads != 0, option, {"is 0"}, {"must be at least 1"});
        requirements.require(*heads == 0 || tensor.shape[2] % *heads == 0, option, {"is ", *heads},
                             {"must divide ", name, "'s width ", tensor.shape[2]});
    } else {
        std::size_t const found = tensor.rank == 4 ? tensor.shape[1] : 1;
        requirements.require(*heads == found, option, {"is ", *heads},
                             {name, " with shape ", shape_of(tensor), " has ", found});
    }
}

/// Requires the numbers of a row to lie side by side.
template <class T>
void require_rows_in_one_piece(Requirements& requirements, char const* name, TensorView<T> const& tensor) {
    if (tensor.strides != nullptr && tensor.rank != 0) {
        std::ptrdiff_t const last = tensor.strides[tensor.rank - 1];
        requirements.require(last == 1 || tensor.shape[tensor.rank - 1] == 1, name, {"has a last stride of ", last},
                             {"must be 1"});
    }
}

template <class T>
Problem find_shape_problem(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                           MultiHeadOptions<T> const& options) {
    Requirements shapes;
    auto const require = [&shapes](bool holds, char const* name, TensorView<T> const& tensor,
                                   std::initializer_list<MessagePart> expected) {
        shapes.require(holds, name, {"has shape ", shape_of(tensor)}, expected);
    };
    require(query.rank >= 2 && query.rank <= 4, "query", query, {"must have rank 2, 3 or 4"});
    require(key.rank == query.rank, "key", key, {"query has rank ", query.rank});
    require(value.rank == query.rank, "value", value, {"query has rank ", query.rank});
    require(query.size() != 0, "query", query, {"every axis must be at least 1"});
    require(key.size() != 0, "key", key, {"every axis must be at least 1"});
    require(value.size() != 0, "value", value, {"every axis must be at least 1"});
    require_rows_in_one_piece(shapes, "query", query);
    require_rows_in_one_piece(shapes, "key", key);
    require_rows_in_one_piece(shapes, "value", value);
    if (!shapes.hold()) {
        return shapes.first_problem();
    }
    require_heads(shapes, "heads", options.heads, "query", query);
    require_heads(shapes, "key_value_heads", options.key_value_heads, "key", key);
    require_heads(shapes, "key_value_heads", options.key_value_heads, "value", value);
    if (!shapes.hold()) {
        return shapes.first_problem();
    }
    Heads<T const> const q = heads_of(query, options.heads.value_or(1));
    std::size_t packed = 1;
    if (query.rank == 3) {
        packed = packed_key_value_heads(query, key, options);
        require(key.shape[2] == packed * q.width, "key", key, {"query has d_k = ", q.width});
        require(packed == 0 || value.shape[2] % packed == 0, "value", value, {"key has ", packed, " heads"});
    }
    if (!shapes.hold()) {
        return shapes.first_problem();
    }
    Heads<T const> const k = heads_of(key, packed);
    Heads<T const> const v = heads_of(value, packed);
    require(k.width == q.width, "key", key, {"query has d_k = ", q.width});
    require(k.batches == q.batches, "key", key, {"query has ", q.batches, " batches"});
    require(q.heads % k.heads == 0, "key", key, {"its ", k.heads, " heads must divide query's ", q.heads});
    require(v.batches == k.batches, "value", value, {"key has ", k.batches, " batches"});
    require(v.heads == k.heads, "value", value, {"key has ", k.heads, " heads"});
    require(v.rows == k.rows, "value", value, {"key has ", k.rows, " rows"});
    return shapes.first_problem();
}

template <class T> Problem find_rule_problem(HeadCalls<T> const& calls, MultiHeadOptions<T> const& options) {
    std::size_t const batches = calls.query.batches;
    auto const* const each_offset = std::get_if<std::vector<std::ptrdiff_t>>(&options.query_offset);
    std::size_t const offsets = each_offset != nullptr ? each_offset->size() : batches;
    std::size_t const lengths = options.key_lengths ? options.key_lengths->size() : batches;
    Requirements counts;
    counts.require(offsets == batches, "query_offset", {"holds ", offsets, " numbers"},
                   {"must hold one for each batch, here ", batches});
    counts.require(lengths == batches, "key_lengths", {"holds ", lengths, " numbers"},
                   {"must hold one for each batch, here ", batches});
    for (std::size_t batch = 0; counts.hold() && batch < batches; ++batch) {
        VisibilityRule const rule = calls.rule_of(batch);
        std::size_t const length = rule.key_length.value_or(0);
        counts.require(length <= calls.key.rows, "key_lengths", {"is ", length, " for batch ", batch},
                       {"there are ", calls.key.rows, " keys"});
        if (counts.hold()) {
            if (Problem problem = find_problem(rule, calls.key.rows)) {
                return problem;
            }
        }
    }
    return counts.first_problem();
}

template <class T, class M> Problem find_mask_shape_problem(HeadCalls<T> const& calls, TensorView<M> const& mask) {
    Requirements shapes;
    shapes.require(mask.rank >= 1 && mask.rank <= 4, "mask", {"has shape ", shape_of(mask)},
                   {"must have rank 1, 2, 3 or 4"});
    std::array<std::size_t, 4> const full = {calls.query.batches, calls.query.heads, calls.query.rows, calls.key.rows};
    bool const is_matrix = calls.query.rank == 2;
    for (std::size_t back = 1; shapes.hold() && back <= mask.rank; ++back) {
        std::size_t const length = mask.shape[mask.rank - back];
        shapes.require(length == 1 || length == full[4 - back], "mask", {"has shape ", shape_of(mask)},
                       {"must broadcast to ", is_matrix ? "(n_query, n_key)" : "(batches, heads, n_query, n_key)",
                        " = ", is_matrix ? MessagePart::of(full.data() + 2, 2) : MessagePart::of(full.data(), 4)});
    }
    return shapes.first_problem();
}

template <class T> Problem find_mask_problem(HeadCalls<T> const& calls, MultiHeadOptions<T> const& options) {
    if (auto const* boolean = std::get_if<TensorView<std::uint8_t>>(&options.mask)) {
        return find_mask_shape_problem(calls, *boolean);
    }
    auto const* additive = std::get_if<TensorView<T>>(&options.mask);
    if (additive == nullptr) {
        return {};
    }
    if (Problem problem = find_mask_shape_problem(calls, *additive)) {
        return problem;
    }
    auto const is_allowed = [](T entry) { return entry < std::numeric_limits<T>::infinity(); };
    std::size_t const size = additive->size();
    T const* found = nullptr;
    std::size_t index = 0;
    if (additive->strides == nullptr) {
        found = std::find_if_not(additive->data, additive->data + size, is_allowed);
        index = static_cast<std::size_t>(found - additive->data);
    } else {
        for (; index < size; ++index) {
            found = entry_of(*additive, index);
            if (!is_allowed(*found)) {
                break;
            }
        }
    }
    if (index != size) {
        std::array<std::size_t, 4> const place = place_of(*additive, index);
        return describe_problem("mask", {"is ", *found, " at ", MessagePart::of(place.data(), additive->rank)},
                                {"must be finite, or -infinity to hide"});
    }
    return {};
}

/// Whether no number is NaN or infinite: in those alone all bits of the exponent are set. Without a branch, so that
/// compilers look at several numbers at once.
template <class T> bool all_finite(T const* number, std::size_t count) {
    using Bits = std::conditional_t<sizeof(T) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
    T const infinity = std::numeric_limits<T>::infinity();
    Bits exponent = 0;
    std::memcpy(&exponent, &infinity, sizeof exponent);
    Bits found = 0;
    for (T const* const end = number + count; number != end; ++number) {
        Bits bits = 0;
        std::memcpy(&bits, number, sizeof bits);
        found |= (bits & exponent) == exponent ? 1 : 0;
    }
    return found == 0;
}

template <class T> bool all_finite(TensorView<T> const& tensor) {
    return all_finite(tensor.data, tensor.size());
}

template <class T> bool all_finite(Heads<T const> const& tensor) {
    if (tensor.is_gapless()) {
        return all_finite(tensor.data, tensor.batches * tensor.heads * tensor.rows * tensor.width);
    }
    for (std::size_t head = 0; head < tensor.batches * tensor.heads; ++head) {
        StridedMatrix<T const> const matrix = tensor.matrix_of(head / tensor.heads, head % tensor.heads);
        for (std::size_t i = 0; i < matrix.rows; ++i) {
            if (!all_finite(matrix.row(i), matrix.columns)) {
                return false;
            }
        }
    }
    return true;
}

/// The first NaN or infinity of a row, or null.
template <class T> T const* find_non_finite(StridedMatrix<T const> const& rows, std::size_t index) {
    T const* const row = rows.row(index);
    T const* const found = std::find_if_not(row, row + rows.columns, [](T number) { return std::isfinite(number); });
    return found == row + rows.columns ? nullptr : found;
}

/// Refuses a number in a row of one head, by its place in the tensor.
template <class T>
Problem refuse_number(char const* name, Heads<T const> const& tensor, std::size_t batch, std::size_t head,
                      std::size_t row, T const* number, char const* expected) {
    auto const column = static_cast<std::size_t>(number - tensor.matrix_of(batch, head).row(row));
    std::array<std::size_t, 4> const place = tensor.rank == 4 ? std::array<std::size_t, 4>{batch, head, row, column}
                                             : tensor.rank == 3
                                                 ? std::array<std::size_t, 4>{batch, row, head * tensor.width + column}
                                                 : std::array<std::size_t, 4>{row, column};
    return describe_problem(name, {"is ", *number, " at ", MessagePart::of(place.data(), tensor.rank)}, {expected});
}

/// Whether any query of any head that looks at this head of key and value sees the key.
template <class T>
bool is_seen(HeadCalls<T> const& calls, std::size_t batch, std::size_t key_value_head, std::size_t key) {
    for (std::size_t head = key_value_head * calls.group(); head < (key_value_head + 1) * calls.group(); ++head) {
        if (is_seen(calls.at(batch, head), key)) {
            return true;
        }
    }
    return false;
}

/// A NaN or infinity in a row of a query that sees a key.
///
/// @param tensor  has a row for each query
template <class T>
Problem find_query_problem(HeadCalls<T> const& calls, char const* name, Heads<T const> const& tensor,
                           char const* expected) {
    if (all_finite(tensor)) {
        return {};
    }
    for (std::size_t batch = 0; batch < tensor.batches; ++batch) {
        for (std::size_t head = 0; head < tensor.heads; ++head) {
            HeadCall<T> const call = calls.at(batch, head);
            for (std::size_t i = 0; i < tensor.rows; ++i) {
                T const* const number = find_non_finite(tensor.matrix_of(batch, head), i);
                if (number != nullptr && sees_any(call, i)) {
                    return refuse_number(name, tensor, batch, head, i, number, expected);
                }
            }
        }
    }
    return {};
}

constexpr char const* must_be_finite = "what a query sees must be finite";

} // namespace

template <class T> Problem find_number_problem(HeadCalls<T> const& calls) {
    if (Problem problem = find_query_problem(calls, "query", calls.query, must_be_finite)) {
        return problem;
    }
    if (all_finite(calls.key) && all_finite(calls.value)) {
        return {};
    }
    for (std::size_t batch = 0; batch < calls.key.batches; ++batch) {
        for (std::size_t head = 0; head < calls.key.heads; ++head) {
            for (std::size_t j = 0; j < calls.key.rows; ++j) {
                T const* const in_key = find_non_finite(calls.key.matrix_of(batch, head), j);
                T const* const in_value = find_non_finite(calls.value.matrix_of(batch, head), j);
                if ((in_key != nullptr || in_value != nullptr) && is_seen(calls, batch, head, j)) {
                    return in_key != nullptr
                               ? refuse_number("key", calls.key, batch, head, j, in_key, must_be_finite)
                               : refuse_number("value", calls.value, batch, head, j, in_value, must_be_finite);
                }
            }
        }
    }
    return {};
}

template <class T>
Problem find_form_problem(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                          MultiHeadOptions<T> const& options) {
    if (Problem shapes = find_shape_problem(query, key, value, options)) {
        return shapes;
    }
    if (Problem option = find_problem<T>(options, query.shape[query.rank - 1])) {
        return option;
    }
    HeadCalls<T> const calls(query, key, value, options);
    if (Problem rules = find_rule_problem(calls, options)) {
        return rules;
    }
    return find_mask_problem(calls, options);
}

template <class T>
Problem find_problem(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                     MultiHeadOptions<T> const& options) {
    Problem form = find_form_problem(query, key, value, options);
    return form ? form : find_number_problem(HeadCalls<T>(query, key, value, options));
}

template <class T>
Problem find_problem(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                     TensorView<T> const& output_gradient, MultiHeadOptions<T> const& options) {
    if (Problem forward = find_problem(query, key, value, options)) {
        return forward;
    }
    MultiHeadShapes::Shape const output = result_shapes(query, key, value, options).output;
    if (!std::equal(output.begin(), output.end(), output_gradient.shape,
                    output_gradient.shape + output_gradient.rank)) {
        return describe_problem("output_gradient", {"has shape ", shape_of(output_gradient)},
                                {"the output has shape ", MessagePart::of(output.data(), output.size())});
    }
    HeadCalls<T> const calls(query, key, value, options);
    return find_query_problem(calls, "output_gradient", heads_of(output_gradient, calls.query.heads),
                              "it must be finite");
}

template <class T>
Problem find_non_finite(TensorView<T> const& tensor, char const* name, char const* verb, char const* expected) {
    if (all_finite(tensor)) {
        return {};
    }
    T const* const number =
        std::find_if_not(tensor.data, tensor.data + tensor.size(), [](T entry) { return std::isfinite(entry); });
    std::array<std::size_t, 4> const place = place_of(tensor, static_cast<std::size_t>(number - tensor.data));
    return describe_problem(name, {verb, *number, " at ", MessagePart::of(place.data(), tensor.rank)}, {expected});
}

#define ATTENTION_INSTANTIATE(T)                                                                                       \
    template Problem find_form_problem(TensorView<T> const&, TensorView<T> const&, TensorView<T> const&,               \
                                       MultiHeadOptions<T> const&);                                                    \
    template Problem find_number_problem(HeadCalls<T> const&);                                                         \
    template Problem find_problem(TensorView<T> const&, TensorView<T> const&, TensorView<T> const&,                    \
                                  MultiHeadOptions<T> const&);                                                         \
    template Problem find_problem(TensorView<T> const&, TensorView<T> const&, TensorView<T> const&,                    \
                                  TensorView<T> const&, MultiHeadOptions<T> const&);                                   \
    template Problem find_non_finite(TensorView<T> const&, char const*, char const*, char const*);
ATTENTION_INSTANTIATE(float)
ATTENTION_INSTANTIATE(double)
#undef ATTENTION_INSTANTIATE

} // namespace attention
