#include "multi_head_gradient.hpp"

#include <algorithm>

#include "attention_gradient.hpp"
#include "axpy.hpp"
#include "heads.hpp"

namespace attention {
namespace {

/// Where the gradients of one head of one batch are written.
template <class T> struct HeadGradientPlaces {
    StridedMatrix<T> query; // (n_query, d_k)
    StridedMatrix<T> key;   // (n_key, d_k)
    StridedMatrix<T> value; // (n_key, d_v)
    T* scores;              // (n_query, n_key)
};

template <class T> void add_rows(Matrix<T> const& addend, StridedMatrix<T> const& sum) {
    for (std::size_t i = 0; i < sum.rows; ++i) {
        axpy(sum.columns, T(1), row_of(addend, i), sum.row(i));
    }
}

/// The backward pass of one head, some queries at a time. Key and value may be shared with other heads, so their
/// gradients are added to what is there.
template <class T>
std::optional<Overflow<T>> differentiate_head(HeadCall<T> const& call, StridedMatrix<T const> const& output_gradient,
                                              HeadGradientPlaces<T> const& places) {
    Matrix<T> const key = matrix_from(call.key, 0, call.key.rows);       // (n_key, d_k)
    Matrix<T> const value = matrix_from(call.value, 0, call.value.rows); // (n_key, d_v)
    std::size_t const at_once = queries_at_once(call);
    for (std::size_t first = 0; first < call.query.rows; first += at_once) {
        std::size_t const count = std::min(at_once, call.query.rows - first);
        Matrix<T> const query = matrix_from(call.query, first, count); // (count, d_k)
        AttentionOptions<T> const options = options_for(call, first, count);
        Attention<T> const stages = attend(query, key, value, options);
        if (std::optional<Overflow<T>> overflow = first_overflow(stages)) {
            overflow->query += first;
            return overflow;
        }
        AttentionGradients<T> const gradients =
            differentiate(stages, query, key, value, matrix_from(output_gradient, first, count), options);
        for (std::size_t i = 0; i < count; ++i) {
            std::copy_n(row_of(gradients.query, i), places.query.columns, places.query.row(first + i));
        }
        add_rows(gradients.key, places.key);
        add_rows(gradients.value, places.value);
        std::copy(gradients.scores.begin(), gradients.scores.end(), places.scores + first * call.key.rows);
    }
    return {};
}

template <class T> Problem find_overflow(TensorView<T> const& gradient, char const* name) {
    return find_non_finite(gradient, name, "overflows to ", "it must be finite");
}

} // namespace

template <class T>
Problem differentiate_heads(TensorView<T> const& query, TensorView<T> const& key, TensorView<T> const& value,
                            TensorView<T> const& output_gradient, MultiHeadOptions<T> const& options,
                            MultiHeadGradientPlaces<T> const& places) {
    HeadCalls<T> const calls(query, key, value, options);
    Heads<T const> const output = heads_of(output_gradient, calls.query.heads);
    Heads<T> const query_gradient = calls.query.at(places.query);
    Heads<T> const key_gradient = calls.key.at(places.key);
    Heads<T> const value_gradient = calls.value.at(places.value);
    std::fill_n(places.key, key.size(), T(0));
    std::fill_n(places.value, value.size(), T(0));
    std::size_t const stage_size = calls.query.rows * calls.key.rows;
    for (std::size_t batch = 0; batch < calls.query.batches; ++batch) {
        for (std::size_t head = 0; head < calls.query.heads; ++head) {
            std::size_t const shared = head / calls.group();
            std::optional<Overflow<T>> const overflow =
                differentiate_head<T>(calls.at(batch, head), output.matrix_of(batch, head),
                                      {query_gradient.matrix_of(batch, head), key_gradient.matrix_of(batch, shared),
                                       value_gradient.matrix_of(batch, shared),
                                       places.scores + (batch * calls.query.heads + head) * stage_size});
            if (overflow) {
                return describe_overflow(*overflow, batch, head, query.rank);
            }
        }
    }
    MultiHeadShapes const shapes = result_shapes(query, key, value, options);
    TensorView<T> const scores = {places.scores, shapes.stage.data(), shapes.stage.size()};
    if (Problem overflow = find_overflow(scores, "the gradient of scores")) {
        return overflow;
    }
    if (Problem overflow = find_overflow<T>({places.query, query.shape, query.rank}, "the gradient of query")) {
        return overflow;
    }
    if (Problem overflow = find_overflow<T>({places.key, key.shape, key.rank}, "the gradient of key")) {
        return overflow;
    }
    return find_overflow<T>({places.value, value.shape, value.rank}, "the gradient of value");
}

template <class T>
MultiHeadGradients<T> multi_head_gradients(TensorView<T> const& query, TensorView<T> const& key,
                                           TensorView<T> const& value, TensorView<T> const& output_gradient,
                                           MultiHeadOptions<T> const& options) {
    throw_if_problem([&] { return find_problem(query, key, value, output_gradient, options); });
    auto const shaped_as = [](TensorView<T> const& tensor) {
        return Tensor<T>::from_shape(MultiHeadShapes::Shape(tensor.shape, tensor.shape + tensor.rank));
    };
    MultiHeadGradients<T> gradients{shaped_as(query), shaped_as(key), shaped_as(value),
                                    Tensor<T>::from_shape(result_shapes(query, key, value, options).stage)};
    Problem const overflow = differentiate_heads(
        query, key, value, output_gradient, options,
        {gradients.query.data(), gradients.key.data(), gradients.value.data(), gradients.scores.data()});
    if (overflow) {
        throw_problem(*overflow);
    }
    return gradients;
}

#define ATTENTION_INSTANTIATE(T)                                                                                       \
    template Problem differentiate_heads(TensorView<T> const&, TensorView<T> const&, TensorView<T> const&,             \
                                         TensorView<T> const&, MultiHeadOptions<T> const&,                             \
                                         MultiHeadGradientPlaces<T> const&);                                           \
    template MultiHeadGradients<T> multi_head_gradients(TensorView<T> const&, TensorView<T> const&,                    \
                                                        TensorView<T> const&, TensorView<T> const&,                    \
                                                        MultiHeadOptions<T> const&);
ATTENTION_INSTANTIATE(float)
ATTENTION_INSTANTIATE(double)
#undef ATTENTION_INSTANTIATE

} // namespace attention
