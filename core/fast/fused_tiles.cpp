// Attention in tiles, compiled once for each instruction set.
//
// The table of scores is never stored. A panel of queries, as many as fit a vector or two, walks along the keys block
// by block and keeps, for each of its queries i, the largest score m_i so far, the total l_i = sum_j exp(s_ij - m_i)
// and the unfinished output o_i = sum_j exp(s_ij - m_i) v_j. A block that raises m_i to m_i' multiplies l_i and o_i
// by exp(m_i - m_i') and adds its own terms; at the end the output is o_i / l_i. This is the online softmax of Milakov
// and Gimelshein, "Online normalizer calculation for softmax", 2018, arXiv:1805.02867, carried over to the output by
// Dao et al., "FlashAttention", 2022, arXiv:2205.14135.
//
// Lanes are queries. A panel's queries are transposed once into (d_k, panel), and everything that follows is laid out
// alike: scores (key_block, panel) and outputs (d_v, panel). So
//   - both products have the same form, rows of numbers times a panel, and one kernel computes them: S = K Qᵀ and
//     O += Vᵀ P. It holds `tile_rows` rows of the result in registers and spends one load of a single number, spread to
//     all lanes, on every `panel_vectors` multiply-adds;
//   - keys and values are read where they lie. Nothing of the size of the keys is packed, transposed or allocated,
//     which is what makes short sequences fast and long ones small;
//   - maxima and sums over keys run down the lanes; no vector is ever summed across.
//
// Which keys a query sees by position is an interval. Blocks outside of every interval of the panel are never visited;
// only blocks at an interval's edge are masked at all. Nor are blocks computed that a mask hides from the whole panel.
#include "fused_tiles.hpp"

#include "platform.hpp"
#include "simd.hpp"

namespace attention::ATTENTION_INSTRUCTION_SET {
namespace {

// A tile must fit the registers: tile_rows * panel_vectors sums, the panel's vectors, one spread number. It must be
// large enough that the sums hide a multiply-add's latency. AVX-512 spreads a number within the multiply-add itself, so
// that one vector a panel is enough there.
#if defined(__AVX512F__)
constexpr std::size_t panel_vectors = 1;
constexpr std::size_t tile_rows = 8;
#elif defined(__wasm__)
constexpr std::size_t panel_vectors = 2;
constexpr std::size_t tile_rows = 4; // V8 has a register less, and a product needs one before it is added
#else
constexpr std::size_t panel_vectors = 2;
constexpr std::size_t tile_rows = 6;
#endif

/// Pages do without: it is a hundredth of their engine's bytes.
constexpr bool skips_hidden_blocks = !is_page;

/// The queries of a panel.
template <class T> constexpr std::size_t panel = panel_vectors* lanes<T>;

/// The keys of a block. A block's weights, (key_block, panel), stay in the first-level cache.
constexpr std::size_t key_block = 192;

template <class T> constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T> constexpr T largest_finite = std::numeric_limits<T>::max();

/// One vector of the panel's width, in registers.
template <class T> using PanelRow = std::array<Vec<T>, panel_vectors>;

/// Computes one tile of a product A B: `rows` rows, from `first_row` on, summed in registers.
///
/// @param a      (row count, n), entry (r, t) at a[r * row_stride + t * step]
/// @param b      (n, panel)
/// @param finish called with (row, vector, sum) for every vector of the tile. By value, as the compiler then knows that
///               nothing that is stored changes it.
template <std::size_t rows, class T, class RowStride, class Step, class Finish>
[[gnu::noinline]] void multiply_tile(T const* a, RowStride row_stride, Step step, T const* b, std::size_t n,
                                     std::size_t first_row, Finish finish) {
    T const* from = a + static_cast<std::ptrdiff_t>(first_row) * row_stride;
    Vec<T> sums[rows][panel_vectors] = {};
    for (std::size_t t = 0; t < n; ++t, from += step) {
        Vec<T> across[panel_vectors];
#pragma GCC unroll 2
        for (std::size_t v = 0; v < panel_vectors; ++v) {
            across[v] = load(b + t * panel<T> + v * lanes<T>);
        }
#pragma GCC unroll 16
        for (std::size_t r = 0; r < rows; ++r) {
            Vec<T> const spread = splat(from[static_cast<std::ptrdiff_t>(r) * row_stride]);
#pragma GCC unroll 2
            for (std::size_t v = 0; v < panel_vectors; ++v) {
                sums[r][v] += spread * across[v];
            }
        }
    }
#pragma GCC unroll 16
    for (std::size_t r = 0; r < rows; ++r) {
#pragma GCC unroll 2
        for (std::size_t v = 0; v < panel_vectors; ++v) {
            finish(first_row + r, v, sums[r][v]);
        }
    }
}

constexpr std::size_t next_smaller_tile(std::size_t rows) {
    std::size_t power = 1;
    while (2 * power < rows) {
        power *= 2;
    }
    return power;
}

/// All the rows of a product: tiles of `tile_rows`, then ever smaller ones for what is left.
template <std::size_t rows = tile_rows, class T, class RowStride, class Step, class Finish>
ATTENTION_INLINE void multiply(T const* a, RowStride row_stride, Step step, T const* b, std::size_t n,
                               std::size_t row_count, Finish finish, std::size_t first_row = 0) {
    for (; first_row + rows <= row_count; first_row += rows) {
        multiply_tile<rows>(a, row_stride, step, b, n, first_row, finish);
    }
    if constexpr (rows > 1) {
        multiply<next_smaller_tile(rows)>(a, row_stride, step, b, n, row_count, finish, first_row);
    }
}

using One = std::integral_constant<std::ptrdiff_t, 1>;

/// A panel of queries on its way along the keys.
template <class T> class QueryPanel {
  public:
    QueryPanel(FusedCall<T> const& call, std::size_t first_query, T* scratch);
    bool attend();

  private:
    /// The query in a lane. Lanes beyond the last query repeat it; what they compute is not written out.
    std::size_t query_in(std::size_t lane) const {
        return lane < present_ ? first_query_ + lane : first_query_ + present_ - 1;
    }

    void take_queries();
    void score(KeyRange keys);
    void cap(std::size_t n);
    void mask(KeyRange keys);
    void hide_outside_band(KeyRange keys);
    bool is_hidden(KeyRange keys) const;
    PanelRow<T> weigh(std::size_t n);
    template <class Combine> void blend(KeyRange keys, Combine combine);
    bool write_output() const;

    FusedCall<T> const& call_;
    HeadCall<T> const& head_;
    std::size_t const first_query_;
    std::size_t const present_; // queries, at most `panel`
    T* const queries_;          // (d_k, panel)
    T* const weights_;          // (key_block, panel); scores at first
    T* const output_;           // (d_v, panel); to be divided by total_
    PanelRow<T> largest_;       // m
    PanelRow<T> total_;         // l
};

template <class T>
QueryPanel<T>::QueryPanel(FusedCall<T> const& call, std::size_t first_query, T* scratch)
    : call_(call), head_(call.head), first_query_(first_query),
      present_(head_.query.rows - first_query < panel<T> ? head_.query.rows - first_query : panel<T>),
      queries_(scratch), weights_(queries_ + head_.query.columns * panel<T>), output_(weights_ + key_block * panel<T>) {
}

/// Gives false if the output is of no use.
template <class T> bool QueryPanel<T>::attend() {
    KeyRange const of_first = keys_of(call_.band, static_cast<std::ptrdiff_t>(query_in(0)));
    KeyRange const of_last = keys_of(call_.band, static_cast<std::ptrdiff_t>(query_in(panel<T> - 1)));
    take_queries();
    for (std::size_t v = 0; v < panel_vectors; ++v) {
        largest_[v] = splat(-largest_finite<T>);
        total_[v] = Vec<T>{};
    }
    std::ptrdiff_t begin = of_first.begin;
    bool is_first = true;
    while (begin < of_last.end) {
        std::ptrdiff_t const next = begin + static_cast<std::ptrdiff_t>(key_block);
        KeyRange const keys = {begin, next < of_last.end ? next : of_last.end};
        begin = keys.end;
        if constexpr (skips_hidden_blocks) {
            if (is_hidden(keys)) {
                continue;
            }
        }
        std::size_t const n = static_cast<std::size_t>(keys.end - keys.begin);
        score(keys); // (n, panel)
        if (head_.options.softcap != 0) {
            cap(n);
        }
        if (call_.allowed.data != nullptr || call_.added.data != nullptr) {
            mask(keys);
        }
        if (keys.begin < of_last.begin || keys.end > of_first.end) {
            hide_outside_band(keys);
        }
        PanelRow<T> const correction = weigh(n); // (n, panel)
        // (d_v, panel)
        if (is_first) {
            blend(keys, [](std::size_t, T const*, Vec<T> sum) { return sum; });
        } else {
            blend(keys, [correction](std::size_t v, T const* so_far, Vec<T> sum) {
                return Vec<T>(correction[v] * load(so_far) + sum);
            });
        }
        is_first = false;
    }
    for (std::size_t at = 0; is_first && at < head_.value.columns * panel<T>; at += lanes<T>) {
        store(output_ + at, Vec<T>{}); // no query sees a key
    }
    return write_output();
}

/// Transposes the panel's queries into (d_k, panel).
template <class T> void QueryPanel<T>::take_queries() {
    std::size_t const d_k = head_.query.columns;
    for (std::size_t v = 0; v < panel_vectors; ++v) {
        std::array<T const*, lanes<T>> rows;
        for (std::size_t lane = 0; lane < lanes<T>; ++lane) {
            rows[lane] = head_.query.row(query_in(v * lanes<T> + lane));
        }
        T* const to = queries_ + v * lanes<T>;
        std::size_t c = 0;
        for (; c + lanes<T> <= d_k; c += lanes<T>) {
            std::array<Vec<T>, lanes<T>> square;
            for (std::size_t lane = 0; lane < lanes<T>; ++lane) {
                square[lane] = load(rows[lane] + c);
            }
            transpose<T>(square);
            for (std::size_t lane = 0; lane < lanes<T>; ++lane) {
                store(to + (c + lane) * panel<T>, square[lane]);
            }
        }
        for (; c < d_k; ++c) {
            for (std::size_t lane = 0; lane < lanes<T>; ++lane) {
                to[c * panel<T> + lane] = rows[lane][c];
            }
        }
    }
}

/// s_ij = scale * q_i . k_j
template <class T> void QueryPanel<T>::score(KeyRange keys) {
    multiply(head_.key.row(static_cast<std::size_t>(keys.begin)), head_.key.stride, One(), queries_, head_.key.columns,
             static_cast<std::size_t>(keys.end - keys.begin),
             [to = weights_, scale = splat(call_.scale)](std::size_t j, std::size_t v, Vec<T> sum) {
                 store(to + j * panel<T> + v * lanes<T>, Vec<T>(sum * scale));
             });
}

/// s_ij = c * tanh(s_ij / c)
template <class T> void QueryPanel<T>::cap(std::size_t n) {
    T const cap = static_cast<T>(head_.options.softcap);
    for (std::size_t at = 0; at < n * panel<T>; at += lanes<T>) {
        store(weights_ + at, Vec<T>(cap * hyperbolic_tangent<T>(load(weights_ + at) / cap)));
    }
}

/// Adds the mask to the scores: -infinity where it hides, 0 where a boolean mask does not.
template <class T> void QueryPanel<T>::mask(KeyRange keys) {
    auto const add = [&](auto const& addend) {
        for (std::size_t lane = 0; lane < panel<T>; ++lane) {
            std::size_t const i = query_in(lane);
            T* score = weights_ + lane;
            for (std::ptrdiff_t j = keys.begin; j < keys.end; ++j, score += panel<T>) {
                *score += addend(i, static_cast<std::size_t>(j));
            }
        }
    };
    if (call_.allowed.data != nullptr) {
        // Looked up, as processors mispredict a branch on a mask without a pattern.
        constexpr std::array<T, 2> addends = {-infinity<T>, T(0)};
        add([&](std::size_t i, std::size_t j) { return addends[call_.allowed.at(i, j) != 0 ? 1 : 0]; });
    } else {
        add([&](std::size_t i, std::size_t j) {
            // A NaN may carry any bits, which the exponential would take for an exponent; the usual NaN carries none.
            T const entry = call_.added.at(i, j);
            return entry > static_cast<T>(hidden_below)    ? entry
                   : entry <= static_cast<T>(hidden_below) ? -infinity<T>
                                                           : std::numeric_limits<T>::quiet_NaN();
        });
    }
}

/// Whether a mask hides all of the keys from all of the queries. One that does not shows it soon, mostly by the first.
template <class T> bool QueryPanel<T>::is_hidden(KeyRange keys) const {
    auto const hides = [&](auto const& is_shown) {
        for (std::size_t lane = 0; lane < present_; ++lane) {
            for (std::ptrdiff_t j = keys.begin; j < keys.end; ++j) {
                if (is_shown(first_query_ + lane, static_cast<std::size_t>(j))) {
                    return false;
                }
            }
        }
        return true;
    };
    if (call_.allowed.data != nullptr) {
        return hides([&](std::size_t i, std::size_t j) { return call_.allowed.at(i, j) != 0; });
    }
    // A NaN is shown, to be found.
    return call_.added.data != nullptr &&
           hides([&](std::size_t i, std::size_t j) { return !(call_.added.at(i, j) <= static_cast<T>(hidden_below)); });
}

/// Puts -infinity where the rule hides a key from a query.
template <class T> void QueryPanel<T>::hide_outside_band(KeyRange keys) {
    using Position = typename VectorTypes<T>::Position;
    auto const within = [&](std::ptrdiff_t key) {
        return key < keys.begin ? 0 : key < keys.end ? key - keys.begin : keys.end - keys.begin;
    };
    for (std::size_t v = 0; v < panel_vectors; ++v) {
        // Counted from the block's first key, so that they fit the lanes however many keys there are.
        IntegerVec<T> begin = {};
        IntegerVec<T> end = {};
        for (std::size_t lane = 0; lane < lanes<T>; ++lane) {
            KeyRange const seen = keys_of(call_.band, static_cast<std::ptrdiff_t>(query_in(v * lanes<T> + lane)));
            begin[lane] = static_cast<Position>(within(seen.begin));
            end[lane] = static_cast<Position>(within(seen.end));
        }
        T* scores = weights_ + v * lanes<T>;
        IntegerVec<T> here = {};
        for (std::ptrdiff_t j = keys.begin; j < keys.end; ++j, here += Position(1), scores += panel<T>) {
            IntegerVec<T> const visible = (here >= begin) & (here < end);
            store(scores, Vec<T>(visible ? load(scores) : splat(-infinity<T>)));
        }
    }
}

/// Turns a block's scores into weights, exp(s_ij - m_i), and brings m and l up to date.
///
/// @return what the outputs so far are to be multiplied by, exp(m_i before - m_i now)
template <class T> PanelRow<T> QueryPanel<T>::weigh(std::size_t n) {
    // m starts at the lowest finite number, so that a row that has seen nothing yet does not subtract infinities.
    PanelRow<T> largest = largest_;
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t v = 0; v < panel_vectors; ++v) {
            largest[v] = larger<T>(largest[v], load(weights_ + j * panel<T> + v * lanes<T>));
        }
    }
    PanelRow<T> correction;
    for (std::size_t v = 0; v < panel_vectors; ++v) {
        correction[v] = exponential<T>(largest_[v] - largest[v]);
    }
    PanelRow<T> total = {};
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t v = 0; v < panel_vectors; ++v) {
            T* const at = weights_ + j * panel<T> + v * lanes<T>;
            Vec<T> const weight = exponential<T>(load(at) - largest[v]);
            total[v] += weight;
            store(at, weight);
        }
    }
    for (std::size_t v = 0; v < panel_vectors; ++v) {
        total_[v] = total_[v] * correction[v] + total[v];
    }
    largest_ = largest;
    return correction;
}

/// o_i = combine(o_i, sum_j p_ij v_j)
template <class T> template <class Combine> void QueryPanel<T>::blend(KeyRange keys, Combine combine) {
    multiply(head_.value.row(static_cast<std::size_t>(keys.begin)), One(), head_.value.stride, weights_,
             static_cast<std::size_t>(keys.end - keys.begin), head_.value.columns,
             [to = output_, combine](std::size_t c, std::size_t v, Vec<T> sum) {
                 T* const at = to + c * panel<T> + v * lanes<T>;
                 store(at, combine(v, at, sum));
             });
}

/// Divides by the totals and transposes back. Gives false if a total is NaN or infinite.
template <class T> bool QueryPanel<T>::write_output() const {
    std::size_t const d_v = call_.output.columns;
    bool finite = true;
    for (std::size_t v = 0; v < panel_vectors; ++v) {
        Vec<T> const total = total_[v];
        // Only a row that sees no key has total 0: elsewhere the largest score adds exp(0) = 1.
        Vec<T> const factor = total == T(0) ? Vec<T>{} : T(1) / total;
        IntegerVec<T> const usable = total <= largest_finite<T>;
        std::size_t const count = v * lanes<T> >= present_             ? 0
                                  : present_ - v * lanes<T> < lanes<T> ? present_ - v * lanes<T>
                                                                       : lanes<T>;
        for (std::size_t lane = 0; lane < count; ++lane) {
            finite = finite && usable[lane] != 0;
        }
        T const* const from = output_ + v * lanes<T>;
        std::size_t c = 0;
        for (; c + lanes<T> <= d_v; c += lanes<T>) {
            std::array<Vec<T>, lanes<T>> square;
            for (std::size_t lane = 0; lane < lanes<T>; ++lane) {
                square[lane] = load(from + (c + lane) * panel<T>) * factor;
            }
            transpose<T>(square);
            for (std::size_t lane = 0; lane < count; ++lane) {
                store(call_.output.row(first_query_ + v * lanes<T> + lane) + c, square[lane]);
            }
        }
        for (; c < d_v; ++c) {
            for (std::size_t lane = 0; lane < count; ++lane) {
                call_.output.row(first_query_ + v * lanes<T> + lane)[c] = from[c * panel<T> + lane] * factor[lane];
            }
        }
    }
    return finite;
}

/// As many as a size can count where the rows are too wide for that.
template <class T> std::size_t scratch_size(std::size_t d_k, std::size_t d_v) {
    std::size_t rows = 0;
    std::size_t numbers = 0;
    bool const wraps = __builtin_add_overflow(d_k, d_v, &rows) || __builtin_add_overflow(rows, key_block, &rows) ||
                       __builtin_mul_overflow(rows, panel<T>, &numbers);
    return wraps ? std::numeric_limits<std::size_t>::max() : numbers;
}

template <class T> T magnitude(StridedMatrix<T const> const& matrix, KeyRange rows) {
    // Without their signs, the bits of numbers are ordered as the numbers are, and NaN comes after infinity.
    using Bits = typename VectorTypes<T>::Bits;
    using Word = IntegerVec<T>;
    constexpr Bits all_but_sign = static_cast<Bits>(-1) >> 1;
    Word largest = {};
    for (std::ptrdiff_t i = rows.begin; i < rows.end; ++i) {
        T const* const row = matrix.row(static_cast<std::size_t>(i));
        std::size_t c = 0;
        for (; c + lanes<T> <= matrix.columns; c += lanes<T>) {
            Word const bits = (Word)((WordVec<T>)load(row + c) & all_but_sign);
            largest = bits > largest ? bits : largest;
        }
        for (; c < matrix.columns; ++c) {
            Word const bits = (Word)((WordVec<T>)splat(row[c]) & all_but_sign);
            largest = bits > largest ? bits : largest;
        }
    }
    auto most = largest[0];
    for (std::size_t lane = 1; lane < lanes<T>; ++lane) {
        most = largest[lane] > most ? largest[lane] : most;
    }
    T number = T(0);
    static_assert(sizeof number == sizeof most);
    __builtin_memcpy(&number, &most, sizeof number);
    return number;
}

template <class T> bool attend(FusedCall<T> const& call, QueryRange queries, T* scratch) {
    static_assert(queries_of_a_task % panel<T> == 0);
    bool finite = true;
    for (std::size_t first = queries.begin; first < queries.end; first += panel<T>) {
        finite = QueryPanel<T>(call, first, scratch).attend() && finite;
    }
    return finite;
}

template <class T> DecodingTiles<T> decoding() {
    if constexpr (has_decoding) {
        return decoding_tiles<T>();
    } else {
        return {};
    }
}

#define ATTENTION_NAME_OF(set) #set
#define ATTENTION_NAME(set) ATTENTION_NAME_OF(set)

} // namespace

FusedInstructionSet fused_tiles() {
    return {ATTENTION_NAME(ATTENTION_INSTRUCTION_SET),
            {scratch_size<float>, magnitude<float>, attend<float>, decoding<float>()},
            {scratch_size<double>, magnitude<double>, attend<double>, decoding<double>()}};
}

} // namespace attention::ATTENTION_INSTRUCTION_SET
