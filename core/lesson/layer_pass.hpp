// The layer's forward pass, head by head, with every way of getting it wrong that lessons show on purpose.
#pragma once

#include <optional>
#include <vector>

#include "error.hpp"
#include "layer.hpp"
#include "metrics.hpp"
#include "softmax.hpp"
#include "tensor.hpp"

namespace attention {

enum class LessonMask {
    none,
    causal, // key j is visible to query i only where j <= i; -infinity before the softmax
    window, // only where i - window < j <= i: a sliding window, as in Jiang et al., "Mistral 7B", 2023, section 2
    late,   // the mistake: the softmax sees every key, and future weights are cleared after it
};

enum class ProjectionMode {
    separate, // W_q, W_k and W_v are three matrices
    shared,   // the mistake: W_q serves as W_k and W_v too
    identity, // no parameters: Q = K = V = X
};

/// What the weights blend.
enum class Blend {
    values,     // V
    embeddings, // the mistake: X, so that W_v has no part in the output
};

/// What decides a layer's numbers beside X and its matrices.
struct LayerSettings {
    double divisor = 1; // what a head's q . k is divided by: sqrt(d_k), d_k the width of one head
    LessonMask mask = LessonMask::none;
    ProjectionMode projections = ProjectionMode::separate;
    SoftmaxAxis softmax_axis = SoftmaxAxis::keys;
    SoftmaxForm softmax = SoftmaxForm::stable;
    Blend blend = Blend::values;
    std::size_t heads = 1;
    double dropout = 0; // the probability p that a weight is dropped after the softmax; the others are divided by 1 - p
    std::uint32_t seed = 0; // decides which weights are dropped
    std::size_t window = 1; // how many keys a query sees through the mask of that name, its own the last
    // Keys from this one on are padding, which no query sees; there is none where it is absent.
    std::optional<std::size_t> key_length = std::nullopt;
};

/// The stages of one head, from its own columns of the matrices to its output. Where keys come from a context, K and V
/// have T_k rows and the tables T_k columns.
struct HeadPass {
    Matrix<double> Q;        // (T, d_k)
    Matrix<double> K;        // (T, d_k)
    Matrix<double> V;        // (T, d_v)
    Matrix<double> scores;   // (T, T); q . k
    Matrix<double> scaled;   // (T, T); q . k / divisor
    Matrix<double> masked;   // (T, T); -infinity where the softmax must not look
    Softmax<double> softmax; // before a late mask clears its weights
    Matrix<double> weights;  // (T, T); what blends: after late mask and dropout
    Visibility kept;         // (T, T); 0 where dropout clears a weight; empty without dropout
};

/// A layer's forward pass.
struct LayerPass {
    Visibility visible;      // (T, T); where weights may be other than 0
    Visibility softmax_sees; // (T, T); where the softmax looks
    std::vector<HeadPass> heads;
    Matrix<double> blended; // what the outputs are blends of, side by side: V (T, heads * d_v), or X for each head
    Matrix<double> output;  // (T, heads * d_v); (T, heads * d_model) where X is blended
};

/// What some queries may see of some keys, by their places alone.
struct Sight {
    Visibility visible;      // (n_query, n_key); where weights may be other than 0
    Visibility softmax_sees; // (n_query, n_key); where the softmax looks: a late mask, the mistake, comes after it
};

/// What mask and padding leave some queries to see of some keys. A padded query may see none: its window holds padding
/// alone, and its weights and output are exactly 0.
///
/// @param query_offset  how many places the first query stands ahead of the first key; one of the two is at place 0
Sight sight_of(LayerSettings const& settings, std::size_t n_query, std::size_t n_key, std::ptrdiff_t query_offset = 0);

/// Fills in the stages of a head from its scores to its weights. The lines of the softmax do not know of each other:
/// some queries (axis keys) or some keys (axis queries) get the numbers that all of them together get. Where a visible
/// score overflows, softmax and weights are NaN throughout.
///
/// @param head          Q (n_query, d_k) and K (n_key, d_k) are given; where what the lines subtract and divide by are
///                      given too, they are used
/// @param visible, softmax_sees  (n_query, n_key), as in LayerPass
/// @param index, query_offset  which head it is, and how many places the first query stands ahead of the first key:
///                      dropout depends on head, query and key alone, so that parts drop what the whole drops
/// Source of dropout: Srivastava et al., "Dropout", 2014; after the softmax: Vaswani et al. 2017, section 5.4.
void attend(HeadPass& head, Visibility const& visible, Visibility const& softmax_sees, LayerSettings const& settings,
            std::size_t index = 0, std::ptrdiff_t query_offset = 0);

/// The same from scores (n_query, n_key) that are given, Q and K not being read.
void weigh_scores(HeadPass& head, Visibility const& visible, Visibility const& softmax_sees,
                  LayerSettings const& settings, std::size_t index = 0, std::ptrdiff_t query_offset = 0);

/// How a head's weights come of its softmax. Refers to all that it is given.
///
/// @param visible, softmax_sees  (n_query, n_key), as in LayerPass
SoftmaxRows softmax_rows(HeadPass const& head, Visibility const& visible, Visibility const& softmax_sees,
                         LayerSettings const& settings);

/// The figures of a head's rows, all of what was computed: the Jacobian too, along either axis, with a late mask and of
/// the weights that dropout leaves.
///
/// @param visible, softmax_sees  (n_query, n_key), as in LayerPass
/// @param queries  how many there are, of which these may be some
RowMetrics row_metrics(HeadPass const& head, Visibility const& visible, Visibility const& softmax_sees,
                       LayerSettings const& settings, std::size_t queries);

/// Drops what dropout drops: entry / (1 - p) where a weight is kept, 0 elsewhere. Its own backward pass too.
void apply_dropout(Matrix<double>& entries, Visibility const& kept, double dropout);

/// What is wrong with a layer: shapes that do not belong together, or columns that the heads cannot share out evenly.
Problem find_problem(Matrix<double> const& X, ProjectionWeights const& weights, LayerSettings const& settings,
                     Matrix<double> const& context = {});

/// The heads' outputs side by side. With one head, a lesson's numbers bit for bit. Where a visible score overflows,
/// that head's softmax, weights and output are NaN throughout.
///
/// @param X       (T, d_model)
/// @param weights W_q, W_k (d_model, heads * d_k), W_v (d_model, heads * d_v), and biases of one row; a head has its
/// own
///                columns
/// @param context (T_k, d_model); what keys and values are made of: cross-attention. Where it is empty, of X
/// @throws ArgumentError  if the layer has a problem
LayerPass layer_pass(Matrix<double> const& X, ProjectionWeights const& weights, LayerSettings const& settings,
                     Matrix<double> const& context = {});

/// Why a pass has no gradients: a score overflowed, or a naive softmax did. Nothing where it has.
Problem find_overflow(LayerPass const& pass);

} // namespace attention
