// Attention of few queries, compiled once for each instruction set.
//
// fused_tiles.cpp puts queries into the lanes, so that one costs as much as a panel of them. Here lanes are columns of
// key and value, and keys where scores become weights: one query costs one, and a call takes as long as it takes to
// read the keys and values, which every query of a block looks at while it is in the cache. The online softmax is the
// same.
#include "decode_tiles.hpp"

#include "score_rule.hpp"
#include "simd.hpp"

namespace attention::ATTENTION_INSTRUCTION_SET {
namespace {

/// The keys of a block, a multiple of every number of lanes: their weights and their part of keys and values stay in
/// the cache while one query after another looks at them.
constexpr std::size_t key_block = 192;

/// The queries for which a number of a key is loaded once.
constexpr std::size_t queries_at_once = 4;

/// The columns of the output that are summed up in registers, for as many queries.
#if defined(__AVX512F__)
constexpr std::size_t vectors_at_once = 4;
#else
constexpr std::size_t vectors_at_once = 2;
#endif

template <class T> constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T> constexpr T largest_finite = std::numeric_limits<T>::max();

/// Where the last vector of a row begins. It overlaps the one before where the width is no multiple of the lanes.
template <class T> std::size_t last_vector(std::size_t width) {
    return width - lanes<T>;
}

/// A row's vectors, the last one included.
template <class T> std::size_t vectors_of(std::size_t width) {
    return (width + lanes<T> - 1) / lanes<T>;
}

/// A vector whose lane j is the sum of all lanes of rows[j].
template <class T, std::size_t distance = lanes<T> / 2>
ATTENTION_INLINE Vec<T> sums_of(std::array<Vec<T>, lanes<T>>& rows) {
    if constexpr (distance == 0) {
        return rows[0];
    } else {
#pragma GCC unroll 16
        for (std::size_t i = 0; i < distance; ++i) {
            swap_blocks<T, distance>(rows[i], rows[i + distance], std::make_index_sequence<lanes<T>>());
            rows[i] += rows[i + distance];
        }
        return sums_of<T, distance / 2>(rows);
    }
}

template <class T> ATTENTION_INLINE T sum_of(Vec<T> vector) {
    T sum = vector[0];
    for (std::size_t lane = 1; lane < lanes<T>; ++lane) {
        sum += vector[lane];
    }
    return sum;
}

/// The entry of a mask that is added to a score.
template <class T> T addend_of(DecodedQuery<T> const& query, std::ptrdiff_t key) {
    if (query.allowed != nullptr) {
        return query.allowed[key * query.mask_stride] != 0 ? T(0) : -infinity<T>;
    }
    T const entry = query.added[key * query.mask_stride];
    return entry <= static_cast<T>(hidden_below) ? -infinity<T> : entry;
}

template <class T> bool has_mask(DecodedQuery<T> const& query) {
    return query.allowed != nullptr || query.added != nullptr;
}

/// Some queries on their way along the keys, as many at once as `rows` says.
template <class T> class Decoding {
  public:
    Decoding(DecodedQueries<T> const& call, T* states, T* scratch)
        : call_(call), d_k_(call.key.columns), d_v_(call.value.columns), states_(states), scores_(scratch),
          query_(scratch + queries_at_once * key_block) {}

    bool attend(KeyRange keys);

  private:
    T* state(std::size_t query) const { return states_ + query * (d_v_ + 2); }

    KeyRange seen_by(std::size_t first, std::size_t rows, KeyRange keys) const;
    bool is_hidden(std::size_t first, std::size_t rows, KeyRange keys) const;
    template <std::size_t rows> bool attend_to_block(std::size_t first, KeyRange keys);
    template <std::size_t rows> void take_queries(std::size_t first);
    template <std::size_t rows> void score(KeyRange keys);
    bool hide(DecodedQuery<T> const& query, T* scores, KeyRange keys) const;
    T weigh(T* scores, std::size_t n, T* state) const;
    template <std::size_t rows, std::size_t vectors>
    void blend(std::size_t first, KeyRange keys, std::size_t column, std::size_t from, std::array<T, rows> const& kept);
    template <std::size_t rows> void blend_all(std::size_t first, KeyRange keys, std::array<T, rows> const& kept);

    DecodedQueries<T> const& call_;
    std::size_t const d_k_;
    std::size_t const d_v_;
    T* const states_;
    T* const scores_; // (queries_at_once, key_block); weights in the end
    T* const query_;  // (queries_at_once, d_k and the room of one vector more)
};

/// Which of the keys any of these queries sees by position.
template <class T> KeyRange Decoding<T>::seen_by(std::size_t first, std::size_t rows, KeyRange keys) const {
    KeyRange seen = {keys.end, keys.begin};
    for (std::size_t r = first; r < first + rows; ++r) {
        KeyRange const& one = call_.queries[r].keys;
        if (one.begin < one.end) {
            seen.begin = one.begin < seen.begin ? one.begin : seen.begin;
            seen.end = one.end > seen.end ? one.end : seen.end;
        }
    }
    seen.begin = seen.begin > keys.begin ? seen.begin : keys.begin;
    seen.end = seen.end < keys.end ? seen.end : keys.end;
    return seen;
}

/// Whether masks hide all of the keys from all of the queries; most have a visible key among the first.
template <class T> bool Decoding<T>::is_hidden(std::size_t first, std::size_t rows, KeyRange keys) const {
    for (std::size_t r = first; r < first + rows; ++r) {
        DecodedQuery<T> const& query = call_.queries[r];
        if (!has_mask(query)) {
            return false;
        }
        for (std::ptrdiff_t j = keys.begin; j < keys.end; ++j) {
            if (addend_of(query, j) != -infinity<T>) {
                return false;
            }
        }
    }
    return true;
}

template <class T> bool Decoding<T>::attend(KeyRange keys) {
    for (std::size_t query = 0; query < call_.count; ++query) {
        T* const of_query = state(query);
        for (std::size_t c = 0; c < d_v_; ++c) {
            of_query[c] = T(0);
        }
        of_query[d_v_] = -largest_finite<T>;
        of_query[d_v_ + 1] = T(0);
    }
    for (std::ptrdiff_t begin = keys.begin; begin < keys.end; begin += static_cast<std::ptrdiff_t>(key_block)) {
        std::ptrdiff_t const next = begin + static_cast<std::ptrdiff_t>(key_block);
        KeyRange const block = {begin, next < keys.end ? next : keys.end};
        std::size_t first = 0;
        for (; first + queries_at_once <= call_.count; first += queries_at_once) {
            if (!attend_to_block<queries_at_once>(first, block)) {
                return false;
            }
        }
        for (; first + 2 <= call_.count; first += 2) {
            if (!attend_to_block<2>(first, block)) {
                return false;
            }
        }
        if (first < call_.count && !attend_to_block<1>(first, block)) {
            return false;
        }
    }
    return true;
}

template <class T> template <std::size_t rows> bool Decoding<T>::attend_to_block(std::size_t first, KeyRange block) {
    KeyRange const keys = seen_by(first, rows, block);
    if (keys.begin >= keys.end || is_hidden(first, rows, keys)) {
        return true;
    }
    std::size_t const n = static_cast<std::size_t>(keys.end - keys.begin);
    take_queries<rows>(first);
    score<rows>(keys);
    std::array<T, rows> kept{};
    for (std::size_t r = 0; r < rows; ++r) {
        T* const scores = scores_ + r * key_block;
        T* const of_query = state(first + r);
        if (!hide(call_.queries[first + r], scores, keys)) {
            return false;
        }
        kept[r] = weigh(scores, n, of_query);
    }
    blend_all<rows>(first, keys, kept);
    for (std::size_t r = 0; r < rows; ++r) {
        T const* const of_query = state(first + r);
        Vec<T> all = {}; // stays 0 as long as every number is finite
        std::size_t c = 0;
        for (; c + lanes<T> <= d_v_; c += lanes<T>) {
            all += load(of_query + c) * T(0);
        }
        T rest = of_query[d_v_ + 1] * T(0);
        for (; c < d_v_; ++c) {
            rest += of_query[c] * T(0);
        }
        if (!(sum_of<T>(all) + rest == T(0))) {
            return false;
        }
    }
    return true;
}

/// Copies queries so that their last vector, which may overlap the one before, holds zeros where that one counts.
template <class T> template <std::size_t rows> void Decoding<T>::take_queries(std::size_t first) {
    std::size_t const width = vectors_of<T>(d_k_) * lanes<T>;
    for (std::size_t r = 0; r < rows; ++r) {
        T const* const from = call_.queries[first + r].query;
        T* const to = query_ + r * width;
        std::size_t const whole = d_k_ / lanes<T> * lanes<T>;
        for (std::size_t c = 0; c < whole; ++c) {
            to[c] = from[c];
        }
        for (std::size_t lane = 0; whole != width && lane < lanes<T>; ++lane) {
            std::size_t const place = d_k_ < lanes<T> ? lane : last_vector<T>(d_k_) + lane;
            to[whole + lane] = place >= whole && place < d_k_ ? from[place] : T(0);
        }
    }
}

/// s_ij = scale * q_i . k_j for some queries
template <class T> template <std::size_t rows> void Decoding<T>::score(KeyRange keys) {
    std::size_t const vectors = vectors_of<T>(d_k_);
    std::size_t const width = vectors * lanes<T>;
    std::size_t const n = static_cast<std::size_t>(keys.end - keys.begin);
    for (std::size_t j = 0; j < n; j += lanes<T>) {
        std::array<std::array<Vec<T>, lanes<T>>, rows> products;
        for (std::size_t lane = 0; lane < lanes<T>; ++lane) {
            // Lanes beyond the last key repeat it; their scores are not used.
            std::size_t const place = j + lane < n ? j + lane : n - 1;
            T const* const k = call_.key.row(static_cast<std::size_t>(keys.begin) + place);
            Vec<T> sums[rows] = {};
            if (d_k_ < lanes<T>) {
                Vec<T> number = {};
                for (std::size_t c = 0; c < d_k_; ++c) {
                    number[c] = k[c];
                }
                for (std::size_t r = 0; r < rows; ++r) {
                    sums[r] = number * load(query_ + r * width);
                }
            } else {
                for (std::size_t c = 0; c < vectors; ++c) {
                    std::size_t const begin = c * lanes<T> + lanes<T> <= d_k_ ? c * lanes<T> : last_vector<T>(d_k_);
                    Vec<T> const number = load(k + begin);
#pragma GCC unroll 4
                    for (std::size_t r = 0; r < rows; ++r) {
                        sums[r] += number * load(query_ + r * width + c * lanes<T>);
                    }
                }
            }
            for (std::size_t r = 0; r < rows; ++r) {
                products[r][lane] = sums[r];
            }
        }
        for (std::size_t r = 0; r < rows; ++r) {
            store(scores_ + r * key_block + j, Vec<T>(sums_of<T>(products[r]) * call_.scale));
        }
    }
}

/// Caps one query's scores, adds its mask and puts -infinity where a key is hidden, up to the end of the last vector.
///
/// @return false if a score is NaN or infinite where no mask makes it so
template <class T> bool Decoding<T>::hide(DecodedQuery<T> const& query, T* scores, KeyRange keys) const {
    std::size_t const n = static_cast<std::size_t>(keys.end - keys.begin);
    std::size_t const end = vectors_of<T>(n) * lanes<T>;
    Vec<T> all = {}; // stays 0 as long as every score is finite
    for (std::size_t j = 0; j < end; j += lanes<T>) {
        Vec<T> const score = load(scores + j);
        all += score * T(0);
        if (call_.softcap != T(0)) {
            store(scores + j, Vec<T>(call_.softcap * hyperbolic_tangent<T>(score / call_.softcap)));
        }
    }
    if (!(sum_of<T>(all) == T(0))) {
        return false;
    }
    if (has_mask(query)) {
        for (std::size_t j = 0; j < n; ++j) {
            T const masked = scores[j] + addend_of(query, keys.begin + static_cast<std::ptrdiff_t>(j));
            if (!(masked <= largest_finite<T>)) {
                return false;
            }
            scores[j] = masked;
        }
    }
    auto const within = [&](std::ptrdiff_t key) {
        return static_cast<std::size_t>(key < keys.begin ? 0
                                        : key < keys.end ? key - keys.begin
                                                         : keys.end - keys.begin);
    };
    std::size_t const begin_seen = within(query.keys.begin);
    std::size_t const end_seen = within(query.keys.end);
    for (std::size_t j = 0; j < begin_seen; ++j) {
        scores[j] = -infinity<T>;
    }
    for (std::size_t j = end_seen; j < end; ++j) {
        scores[j] = -infinity<T>;
    }
    return true;
}

/// Turns one query's scores into weights, and brings its largest score and its total up to date.
///
/// @return what its output so far is to be multiplied by
template <class T> T Decoding<T>::weigh(T* scores, std::size_t n, T* of_query) const {
    T const before = of_query[d_v_];
    Vec<T> largest_lanes = splat(before);
    for (std::size_t j = 0; j < n; j += lanes<T>) {
        largest_lanes = larger<T>(largest_lanes, load(scores + j));
    }
    T largest = largest_lanes[0];
    for (std::size_t lane = 1; lane < lanes<T>; ++lane) {
        largest = largest_lanes[lane] > largest ? largest_lanes[lane] : largest;
    }
    Vec<T> total = {};
    for (std::size_t j = 0; j < n; j += lanes<T>) {
        Vec<T> const weight = exponential<T>(load(scores + j) - largest);
        total += weight;
        store(scores + j, weight);
    }
    T const kept = exponential<T>(splat(before - largest))[0];
    of_query[d_v_] = largest;
    of_query[d_v_ + 1] = of_query[d_v_ + 1] * kept + sum_of<T>(total);
    return kept;
}

/// Brings some columns of the outputs up to date: o_i = kept_i o_i + sum_j p_ij v_j.
///
/// @param from  the first of the columns that is to be written; those before were
template <class T>
template <std::size_t rows, std::size_t vectors>
void Decoding<T>::blend(std::size_t first, KeyRange keys, std::size_t column, std::size_t from,
                        std::array<T, rows> const& kept) {
    std::size_t const n = static_cast<std::size_t>(keys.end - keys.begin);
    Vec<T> sums[rows][vectors] = {};
    T const* v = call_.value.row(static_cast<std::size_t>(keys.begin)) + column;
    for (std::size_t j = 0; j < n; ++j, v += call_.value.stride) {
#pragma GCC unroll 4
        for (std::size_t r = 0; r < rows; ++r) {
            Vec<T> const weight = splat(scores_[r * key_block + j]);
#pragma GCC unroll 4
            for (std::size_t c = 0; c < vectors; ++c) {
                sums[r][c] += weight * load(v + c * lanes<T>);
            }
        }
    }
#pragma GCC unroll 4
    for (std::size_t r = 0; r < rows; ++r) {
        T* const to = state(first + r) + column;
#pragma GCC unroll 4
        for (std::size_t c = 0; c < vectors; ++c) {
            Vec<T> const now = load(to + c * lanes<T>) * kept[r] + sums[r][c];
            if (from <= column) {
                store(to + c * lanes<T>, now);
                continue;
            }
            for (std::size_t lane = 0; lane < lanes<T>; ++lane) {
                std::size_t const place = c * lanes<T> + lane;
                to[place] = column + place < from ? to[place] : now[lane];
            }
        }
    }
}

template <class T>
template <std::size_t rows>
void Decoding<T>::blend_all(std::size_t first, KeyRange keys, std::array<T, rows> const& kept) {
    std::size_t column = 0;
    for (; column + vectors_at_once * lanes<T> <= d_v_; column += vectors_at_once * lanes<T>) {
        blend<rows, vectors_at_once>(first, keys, column, column, kept);
    }
    for (; column + lanes<T> <= d_v_; column += lanes<T>) {
        blend<rows, 1>(first, keys, column, column, kept);
    }
    if (column == d_v_) {
        return;
    }
    if (d_v_ >= lanes<T>) {
        blend<rows, 1>(first, keys, last_vector<T>(d_v_), column, kept);
        return;
    }
    for (std::size_t r = 0; r < rows; ++r) {
        T* const to = state(first + r);
        for (std::size_t c = 0; c < d_v_; ++c) {
            T sum = T(0);
            for (std::ptrdiff_t j = keys.begin; j < keys.end; ++j) {
                sum += scores_[r * key_block + static_cast<std::size_t>(j - keys.begin)] *
                       call_.value.row(static_cast<std::size_t>(j))[c];
            }
            to[c] = to[c] * kept[r] + sum;
        }
    }
}

template <class T> std::size_t scratch_size(std::size_t d_k) {
    return queries_at_once * (key_block + vectors_of<T>(d_k) * lanes<T>);
}

template <class T> bool attend(DecodedQueries<T> const& queries, KeyRange keys, T* states, T* scratch) {
    return Decoding<T>(queries, states, scratch).attend(keys);
}

} // namespace

template <class T> DecodingTiles<T> decoding_tiles() {
    // Measured: a query costs as much as a quarter of a panel, see fused_tiles.cpp.
    constexpr std::size_t panel = vector_bytes == 64 ? lanes<T> : 2 * lanes<T>;
    return {panel / 4, scratch_size<T>, attend<T>};
}

template DecodingTiles<float> decoding_tiles();
template DecodingTiles<double> decoding_tiles();

} // namespace attention::ATTENTION_INSTRUCTION_SET
