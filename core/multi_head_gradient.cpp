#include "multi_head_gradient.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "attention_gradient.hpp"
#include "axpy.hpp"
#include "heads.hpp"
#include "precision.hpp"
#include "threads.hpp"

namespace attention {
namespace {

/// Where those gradients of one head of one batch are written that it shares with no other.
template <class T> struct HeadGradientPlaces {
    StridedMatrix<T> query; // (n_query, d_k)
    T* scores;              // (n_query, n_key)
};

/// The gradients of key and value, as far as they are summed up: in float64, whatever T is. Empty before the first.
struct SharedGradients {
    Matrix<double> key;   // (n_key, d_k)
    Matrix<double> value; // (n_key, d_v)
};

void add(Matrix<double>& sum, Matrix<double> addend) {
    if (sum.size() == 0) {
        sum = std::move(addend);
        return;
    }
    axpy(sum.size(), 1.0, addend.data(), sum.data());
}

template <class T> void write_row(double const* from, std::size_t count, T* to) {
    std::transform(from, from + count, to, [](double number) { return static_cast<T>(number); });
}

/// The gradients of one head of one batch for some of its queries, whose part of those of key and value is added.
template <class T>
std::optional<Overflow<T>>
differentiate_block(HeadCall<T> const& call, Matrix<double> const& key, Matrix<double> const& value,
                    StridedMatrix<T const> const& output_gradient, std::size_t first, std::size_t count,
                    HeadGradientPlaces<T> const& places, SharedGradients& shared) {
    Matrix<double> const query = matrix_from(call.query, first, count); // (count, d_k)
    AttentionOptions<double> const options = options_for(call, first, count);
    Attention<double> const stages = attend(query, key, value, options);
    if (std::optional<Overflow<T>> overflow = first_overflow(narrowed<T>(stages))) {
        overflow->query += first;
        return overflow;
    }
    AttentionGradients<double> gradients =
        differentiate(stages, query, key, value, matrix_from(output_gradient, first, count), options);
    for (std::size_t i = 0; i < count; ++i) {
        write_row(row_of(gradients.query, i), places.query.columns, places.query.row(first + i));
    }
    add(shared.key, std::move(gradients.key));
    add(shared.value, std::move(gradients.value));
    write_row(gradients.scores.data(), gradients.scores.size(), places.scores + first * call.key.rows);
    return {};
}

/// A call with the places of what it gives, by their heads.
template <class T> struct GradientCall {
    HeadCalls<T> const& heads;
    Heads<T const> output_gradient;
    Heads<T> query;
    Heads<T> key;
    Heads<T> value;
    T* scores;
};

template <class T> void write_rows(Matrix<double> const& from, StridedMatrix<T> const& to) {
    for (std::size_t row = 0; row < to.rows; ++row) {
        write_row(row_of(from, row), to.columns, to.row(row));
    }
}

/// As many parts of the queries sum up for themselves, so that threads may share them. It depends on nothing but the
/// call, and more would take more memory: each part holds a gradient of key and value.
constexpr std::size_t parts_of_a_call = 8;

/// With fewer queries to a part, it costs more than it saves.
constexpr std::size_t fewest_queries_of_a_part = 256;

/// The backward pass of all heads that share one head of key and value: some queries at a time, and of those a few
/// parts that sum up for themselves, which are then added in order.
template <class T>
Problem differentiate_shared(GradientCall<T> const& call, std::size_t batch, std::size_t shared_head,
                             Threads const& threads) {
    HeadCalls<T> const& heads = call.heads;
    std::size_t const group = heads.group();
    HeadCall<T> const first_call = heads.at(batch, shared_head * group);
    Matrix<double> const key = matrix_from(first_call.key, 0, heads.key.rows);     // (n_key, d_k)
    Matrix<double> const value = matrix_from(first_call.value, 0, heads.key.rows); // (n_key, d_v)
    std::size_t const n_query = heads.query.rows;
    std::size_t const at_once = queries_at_once(first_call);
    std::size_t const blocks_of_a_head = (n_query - 1) / at_once + 1;
    std::size_t const blocks = group * blocks_of_a_head;
    std::size_t const wanted_parts = (parts_of_a_call - 1) / (heads.key.batches * heads.key.heads) + 1;
    std::size_t const parts = std::min(wanted_parts, group * n_query / fewest_queries_of_a_part + 1);
    std::vector<SharedGradients> sums(parts);

    Problem problem = threads.first_found(parts, [&](std::size_t part, std::size_t /*thread*/) -> Problem {
        for (std::size_t block = part * blocks / parts; block < (part + 1) * blocks / parts; ++block) {
            std::size_t const head = shared_head * group + block / blocks_of_a_head;
            std::size_t const first = block % blocks_of_a_head * at_once;
            HeadGradientPlaces<T> const places = {call.query.matrix_of(batch, head),
                                                  call.scores +
                                                      (batch * heads.query.heads + head) * n_query * heads.key.rows};
            std::optional<Overflow<T>> const overflow =
                differentiate_block(heads.at(batch, head), key, value, call.output_gradient.matrix_of(batch, head),
                                    first, std::min(at_once, n_query - first), places, sums[part]);
            if (overflow) {
                return describe_overflow(*overflow, batch, head, heads.query.rank);
            }
        }
        return {};
    });
    if (problem) {
        return problem;
    }
    for (std::size_t part = 1; part < parts; ++part) {
        add(sums[0].key, std::move(sums[part].key));
        add(sums[0].value, std::move(sums[part].value));
    }
    write_rows(sums[0].key, call.key.matrix_of(batch, shared_head));
    write_rows(sums[0].value, call.value.matrix_of(batch, shared_head));
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
    GradientCall<T> const call{calls,
                               heads_of(output_gradient, calls.query.heads),
                               calls.query.at(places.query),
                               calls.key.at(places.key),
                               calls.value.at(places.value),
                               places.scores};
    Threads const threads(options.threads);
    std::size_t const shared_heads = calls.key.heads;
    Problem problem =
        threads.first_found(calls.key.batches * shared_heads, [&](std::size_t index, std::size_t /*thread*/) {
            return differentiate_shared(call, index / shared_heads, index % shared_heads, threads);
        });
    if (problem) {
        return problem;
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
