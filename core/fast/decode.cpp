#include "decode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "decode_tiles.hpp"
#include "elementary.hpp"
#include "fused.hpp"
#include "fused_tiles.hpp"

namespace attention {
namespace {

/// The keys of a task. Their parts of an output are put together in order, so that no bit depends on the threads.
constexpr std::size_t keys_of_a_task = 8192;

/// Where a task's part of the workspace's memory begins, and how long it is: in bytes, a multiple of a cache line.
class Layout {
  public:
    std::size_t add(std::size_t count, std::size_t bytes_each) {
        std::size_t const place = size_;
        size_ += (count * bytes_each + line - 1) / line * line;
        return place;
    }

    std::size_t size() const { return size_; }

  private:
    static constexpr std::size_t line = 64;

    std::size_t size_ = 0;
};

/// Writes the queries of one head behind those of the others that share its keys.
template <class T> void place_queries(HeadCall<T> const& call, DecodedQuery<T>* place) {
    Band const band = band_of(call.options.rule, call.key.rows);
    auto const* const allowed = std::get_if<StridedMask<std::uint8_t>>(&call.options.mask);
    auto const* const added = std::get_if<StridedMask<T>>(&call.options.mask);
    for (std::size_t i = 0; i < call.query.rows; ++i) {
        auto const row = static_cast<std::ptrdiff_t>(i);
        auto* const query = new (place + i) DecodedQuery<T>{call.query.row(i), keys_of(band, row)};
        if (allowed != nullptr) {
            query->allowed = allowed->data + row * allowed->row_stride;
            query->mask_stride = allowed->column_stride;
        } else if (added != nullptr) {
            query->added = added->data + row * added->row_stride;
            query->mask_stride = added->column_stride;
        }
    }
}

/// The output of one query from its states after each part of the keys: with m the largest score of all parts, the sum
/// of exp(m_p - m) o_p over that of exp(m_p - m) l_p. A query that sees no key has the total 0.
///
/// @param states  d_v + 2 numbers for each part, so many numbers apart
/// @param sums    (d_v); room to work in
template <class T>
void write_output(T const* states, std::size_t parts, std::size_t apart, std::size_t d_v, double* sums, T* output) {
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t part = 0; part < parts; ++part) {
        largest = std::max(largest, static_cast<double>(states[part * apart + d_v]));
    }
    double total = 0;
    std::fill_n(sums, d_v, 0.0);
    for (std::size_t part = 0; part < parts; ++part) {
        T const* const state = states + part * apart;
        double const factor = exponential(static_cast<double>(state[d_v]) - largest);
        total += factor * static_cast<double>(state[d_v + 1]);
        for (std::size_t c = 0; c < d_v; ++c) {
            sums[c] += factor * static_cast<double>(state[c]);
        }
    }
    for (std::size_t c = 0; c < d_v; ++c) {
        output[c] = total == 0 ? T(0) : static_cast<T>(sums[c] / total);
    }
}

} // namespace

template <class T>
bool decode(HeadCalls<T> const& calls, Heads<T> const& output, FusedWorkspace<T>& workspace, Threads const& threads) {
    DecodingTiles<T> const& tiles = decoding_tiles<T>();
    std::size_t const n_key = calls.key.rows;
    std::size_t const d_v = calls.value.width;
    std::size_t const heads = calls.key.batches * calls.key.heads; // of key and value
    std::size_t const parts = (n_key + keys_of_a_task - 1) / keys_of_a_task;
    std::size_t const queries_of_a_head = calls.group() * calls.query.rows;
    std::size_t const states_of_a_part = queries_of_a_head * (d_v + 2);
    std::size_t const scratch_size = tiles.scratch_size(calls.query.width);

    Layout layout;
    std::size_t const at_queries = layout.add(heads * queries_of_a_head, sizeof(DecodedQuery<T>));
    std::size_t const at_states = layout.add(heads * parts * states_of_a_part, sizeof(T));
    std::size_t const at_sums = layout.add(d_v, sizeof(double));
    std::size_t const at_scratch = layout.size();
    layout.add(scratch_size, sizeof(T));
    std::size_t const from_thread_to_thread = layout.size() - at_scratch;
    for (std::size_t thread = 1; thread < threads.count(); ++thread) {
        layout.add(scratch_size, sizeof(T));
    }
    auto* const memory = reinterpret_cast<unsigned char*>(workspace.reserve(layout.size() / sizeof(T)));
    auto* const queries = reinterpret_cast<DecodedQuery<T>*>(memory + at_queries);
    auto* const states = reinterpret_cast<T*>(memory + at_states);
    auto* const sums = new (memory + at_sums) double[d_v];
    for (std::size_t head = 0; head < calls.query.batches * calls.query.heads; ++head) {
        place_queries(calls.at(head / calls.query.heads, head % calls.query.heads), queries + head * calls.query.rows);
    }

    bool const is_refused = threads.first_found(heads * parts, [&](std::size_t task, std::size_t thread) {
        std::size_t const head = task / parts;
        std::size_t const first = task % parts * keys_of_a_task;
        DecodedQueries<T> const of_head = {calls.key.matrix_of(head / calls.key.heads, head % calls.key.heads),
                                           calls.value.matrix_of(head / calls.key.heads, head % calls.key.heads),
                                           queries + head * queries_of_a_head,
                                           queries_of_a_head,
                                           scale_of(calls.options, calls.query.width),
                                           static_cast<T>(calls.options.softcap)};
        KeyRange const keys = {static_cast<std::ptrdiff_t>(first),
                               static_cast<std::ptrdiff_t>(std::min(n_key, first + keys_of_a_task))};
        auto* const scratch = reinterpret_cast<T*>(memory + at_scratch + thread * from_thread_to_thread);
        return !tiles.attend(of_head, keys, states + task * states_of_a_part, scratch);
    });
    if (is_refused) {
        return false;
    }
    for (std::size_t head = 0; head < calls.query.batches * calls.query.heads; ++head) {
        std::size_t const shared = head / calls.group();
        StridedMatrix<T> const rows = output.matrix_of(head / calls.query.heads, head % calls.query.heads);
        for (std::size_t i = 0; i < rows.rows; ++i) {
            std::size_t const query = head % calls.group() * rows.rows + i; // among those that share the keys
            write_output(states + shared * parts * states_of_a_part + query * (d_v + 2), parts, states_of_a_part, d_v,
                         sums, rows.row(i));
        }
    }
    return true;
}

template bool decode(HeadCalls<float> const&, Heads<float> const&, FusedWorkspace<float>&, Threads const&);
template bool decode(HeadCalls<double> const&, Heads<double> const&, FusedWorkspace<double>&, Threads const&);

} // namespace attention
