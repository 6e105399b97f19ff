// A lesson's state in, everything that a lesson shows out. The one entry that the page calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "layer_pass.hpp"
#include "metrics.hpp"
#include "tensor.hpp"

namespace attention {

enum class Preset {
    sentence,   // seeded embeddings and weights, any tokens, any widths
    four_token, // four 2-D tokens with small whole numbers, to check by hand
};

/// What q . k is divided by.
enum class Divisor {
    sqrt, // sqrt(d_k): the variance of a score stays 1 at every width
    none, // 1: the mistake of no scale
    dk,   // d_k: the mistake of too much
};

/// The number that a divisor stands for.
double divisor_value(Divisor divisor, std::size_t d_k);

/// "Your journey starts with one step"
std::vector<std::string> default_tokens();

// Limits. Of tables of tokens by tokens there is one for each head: with several heads fewer than `maximum_tokens` fit;
// `maximum_width` is of d_model, d_k and d_v. `default_seed` is vetted: settings.def says for what.
#define LIMIT(Type, name, value) constexpr Type name = value;
#include "settings.def"

/// A matrix that a state may hold numbers of its own for.
enum class OwnMatrix {
#define SETTING_MATRIX(field, shape, rows, heads, width, meaning) field,
#include "settings.def"
};

/// One entry of a matrix, other than seeded or given. Its column is counted within its head, so that it stays where it
/// is as heads grow wider.
struct MatrixEdit {
    OwnMatrix matrix;
    std::size_t head;
    std::size_t row;
    std::size_t column;
    double value;
};

/// Everything that decides a lesson's numbers. Plain values; two equal states give equal numbers, on every machine.
/// A field for each line of settings.def, which says what it means: preset, tokens (UTF-8), d_model, d_k, d_v, divisor
/// and so on, in this order.
struct LessonState {
#define SETTING_CHOICE(field, Type, initial, meaning) Type field = Type::initial;
#define SETTING_TOKENS(field, initial, meaning) std::vector<std::string> field;
#define SETTING_WHOLE(field, Type, least, most, initial, meaning) Type field = initial;
#define SETTING_NUMBER(field, least, below, initial, meaning) double field = initial;
#define SETTING_FOLLOWING(field, leader, least, most, meaning) std::size_t field = leader;
#define SETTING_PLACE(field, count, initial, meaning) std::size_t field = initial;
#define SETTING_MATRIX(field, shape, rows, heads, width, meaning) Matrix<double> field; // empty: seeded
#define SETTING_EDITS(field, meaning) std::vector<MatrixEdit> field;                    // the later one wins
#include "settings.def"

    LessonState();
    explicit LessonState(std::vector<std::string> texts);
};

/// A state of the four-token preset: X (4, 2), causal, d_model = d_k = d_v = 2.
LessonState four_token_state();

/// Makes the state's projections Q, K and V, to the bit but for the sign of a zero, where nobody knows what they were
/// projected from: X becomes [Q K V], side by side, and W_q, W_k and W_v, of ones and zeros, pick their columns out of
/// it. There are d_model = heads * (2 d_k + d_v) columns, and no biases. The tokens stay as they are.
///
/// @param Q, K (T, heads * d_k)
/// @param V    (T, heads * d_v)
/// @throws ArgumentError  if they have a problem
void set_projections(LessonState& state, Matrix<double> const& Q, Matrix<double> const& K, Matrix<double> const& V);

/// Why they cannot be one layer's Q, K and V: one is empty, or has not as many rows as Q, or K not as many columns.
Problem find_problem(Matrix<double> const& Q, Matrix<double> const& K, Matrix<double> const& V);

/// The highlighted query unrolled key by key, from the terms of q . k to what each key adds to the output.
struct Worksheet {
    Matrix<double> products;      // (T, d_k); q_c k_jc, which add up to the score
    Vector<double> subtracted;    // (T); the reference that key j's score loses before exp: the row's maximum
    Vector<double> shifted;       // (T); score - subtracted; -infinity where hidden from the softmax
    Vector<double> exponentials;  // (T); exp(shifted)
    Vector<double> totals;        // (T); the sum that key j's exponential is divided by
    Matrix<double> contributions; // (T, d_v); a_j v_j, which add up to the output; (T, d_model) where X is blended
};

/// What a lesson shows of its queries, or of some of them.
struct LessonRows : HeadPass {
    Visibility visible;    // (T, T); what the picture shows as visible
    Matrix<double> output; // (T, d_v); (T, d_model) where X is blended
    RowMetrics rows;
    ScoreSpread spread_so_far; // the visible scores as the softmax sees them
};

/// A lesson of the state's head: what a layer with this one head computes.
struct Lesson : ProjectionWeights, LessonRows {
    Matrix<double> X;                      // (T, d_model)
    Matrix<double> context;                // (T_k, d_model); what keys and values are made of; empty in self-attention
    double divisor = 1;                    // what scores are divided by
    double spread = 0;                     // standard deviation of the visible scores as the softmax sees them
    std::optional<double> expected_spread; // absent too where one score alone is visible
    Worksheet worksheet;
};

/// Computes the rows of some queries. A long sentence is computed part by part, and every number is the whole's.
///
/// @param lesson_rows   Q (n_query, d_k) and K (n_key, d_k) are given, and `spread_so_far` of the rows before these.
///                      Where the softmax runs along the queries it cannot be computed of some: its lines are given
///                      too, which this function computes of all queries and some of the keys
/// @param blended       V (n_key, d_v) or X (n_key, d_model)
/// @param query_offset  how many places the first query stands ahead of the first key
void complete_rows(LessonRows& lesson_rows, Matrix<double> const& blended, std::ptrdiff_t query_offset,
                   LessonState const& state, double divisor);

/// What a worksheet is made of, out of a lesson's stages, which outlive it.
struct HighlightedRow {
    double const* q; // (d_k)
    Matrix<double> const& K;
    double const* masked;  // (T)
    double const* weights; // (T)
    Matrix<double> const& blended;
    double const* reference; // (T)
    double const* total;     // (T)
};

/// Unrolls the state's row. The state's tokens are not read.
Worksheet worksheet(HighlightedRow const& row, LessonState const& state);

/// What theory expects of the spread: sqrt(d_k) / divisor for random, separate weights; nothing for other states, nor
/// for numbers of one's own.
std::optional<double> expected_spread(LessonState const& state, double divisor);

/// Adds one head's share to the mean of the heads' weights, or of some rows of them: average += weights / heads.
void add_to_average(Matrix<double>& average, Matrix<double> const& weights, std::size_t heads);

/// What a lesson asks of its layer, all heads of it.
LayerSettings layer_settings(LessonState const& state);

/// The same of a state whose tokens are not read.
///
/// @param n_key  how many keys there are
LayerSettings layer_settings(LessonState const& state, std::size_t n_key);

/// The whole layer of a lesson: what every head computes, and what comes of all of them.
struct Layer {
    Matrix<double> X;          // (T, d_model)
    Matrix<double> context;    // (T_k, d_model); empty in self-attention
    ProjectionWeights weights; // W_q, W_k (d_model, heads * d_k), W_v (d_model, heads * d_v), biases of one row
    LayerPass pass;            // every head's stages, and their outputs side by side
    Matrix<double> average;    // (T, T); the mean of the heads' weights
};

/// Why no lesson can be computed from a state: the first field that is out of range or contradicts another.
Problem find_problem(LessonState const& state);

/// Whether a matrix or a bias has a part in a lesson: those that are shared are W_q and b_q, and without projections
/// there are none.
bool has_part(LessonState const& state, OwnMatrix own);

/// Whether nothing but the seed decides a state's scores, so that they are known at every d_k.
bool are_scores_seeded(LessonState const& state);

/// The embeddings of a state that has no problem: its own, or seeded.
///
/// @return (T, d_model)
Matrix<double> embeddings_for(LessonState const& state);

/// Those of its second sentence.
///
/// @return (T_k, d_model); empty in self-attention
Matrix<double> context_for(LessonState const& state);

/// How many keys a state has: the tokens of its second sentence, or its own.
std::size_t key_count(LessonState const& state);

/// Computes every stage of a lesson, mistakes included, in float64.
///
/// @throws ArgumentError  if the state has a problem
Lesson lesson(LessonState const& state);

/// The same on embeddings of the caller's own, in place of the tokens'.
///
/// @param X  (T, d_model), a row for each token of the state
/// @throws ArgumentError  if the state has a problem or X another shape
Lesson lesson_on(Matrix<double> const& X, LessonState const& state);

/// The same with another divisor than the state's.
Lesson lesson_on(Matrix<double> const& X, LessonState const& state, Divisor divisor);

/// The same with another context too.
///
/// @param context  (T_k, d_model), a row for each token of the state's context
Lesson lesson_on(Matrix<double> const& X, Matrix<double> const& context, LessonState const& state, Divisor divisor);

/// All heads of a lesson. Head h is the lesson of the same state with `head` = h.
///
/// @throws ArgumentError  if the state has a problem
Layer layer(LessonState const& state);

/// The names that attributes, links and command lines use; `parse_` throws ArgumentError on any other text.
#define SETTING_CHOICE(field, Type, initial, meaning) Type parse_##field(std::string const& name);
#include "settings.def"

} // namespace attention
