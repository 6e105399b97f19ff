// Learn or freeze: gradient descent on a lesson's own matrices, at a task that attention has to find a way to.
//
// The task: each position hands over the value of the token before it. The target of row i >= 1 is what row i - 1 of
// the start state has to blend, V_(i-1), or X_(i-1) where X is blended; it stays fixed while the matrices move. Row 0
// has no token before it and counts for nothing; neither does a row of padding.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "gradient.hpp"
#include "lesson.hpp"

namespace attention {

/// How far an output is from the task.
struct TaskLoss {
    double loss = 0;                // the mean of (z_ic - v_(i-1)c)² over the (T - 1) d_v entries of rows 1 to T - 1,
                                    // T without padding
    Matrix<double> output_gradient; // (T, d_v); dL/dz, 0 in row 0 and in those of padding
};

/// @param output (T, d_v), T at least 2
/// @param value  (T, d_v); what there is to hand over
/// @param padding  how many rows at the end count for nothing
/// @throws ArgumentError  if the shapes differ or there is no token before another
TaskLoss task_loss(Matrix<double> const& output, Matrix<double> const& value, std::size_t padding = 0);

/// Which matrices are trained, and with each the bias beside it.
enum class TrainedMatrices { query_and_key, value, all };

constexpr std::size_t maximum_steps = 10000;

/// From the middle of the range, about 0.3 to 3, in which the default lesson at d_k = 64 learns with the divisor and
/// freezes without it: tests/core/training_test.cpp states by how much. The loss is a mean over all entries, so that
/// its gradient is small.
constexpr double default_learning_rate = 1.5;

struct TrainingOptions {
    std::size_t steps = 200; // from 0, which measures the start, to `maximum_steps`
    double learning_rate = default_learning_rate;
    /// Where one matrix is shared, it is the one that is trained, whatever stands here.
    TrainedMatrices matrices = TrainedMatrices::query_and_key;
    /// Matrices to go on from; the state's own where absent. A run of 200 steps is bit for bit 200 runs of one step.
    std::optional<ProjectionWeights> start;
};

/// The figures at one moment of a run. Norms are Frobenius norms.
struct TrainingPoint {
    double loss = 0;
    // Of the loss's gradient, by role, whether the matrix is trained or not; NaN where the loss is not finite.
    double W_q_norm = 0;
    double W_k_norm = 0;
    double W_v_norm = 0;
    // Of that gradient by all that is trained together: by some of these, or by the one shared matrix.
    double trained_norm = 0;
    // Of the softmax Jacobians of the head's rows that are no padding, as in `RowMetrics`.
    double mean_jacobian = 0;
    double largest_jacobian = 0;
};

/// What the task's loss asks of a lesson as it stands.
struct TaskGradients {
    TrainingPoint point;      // the first of a run with the default options
    Matrix<double> scores;    // (T, T); dL/d(q . k / divisor) of the lesson's head; 0 where the softmax does not look
    double largest_score = 0; // the largest size of these
    double scores_norm = 0;   // their Frobenius norm
    Vector<double> shares;    // (T); row i's share of it, ||row i||² / ||all||²: they sum to 1, or are 0 as all are
};

/// Why a state has no task, or the task no gradients there: a problem of its own, a second sentence, fewer
/// than two tokens that are no padding, a naive softmax that overflows.
Problem find_task_problem(LessonState const& state);

/// @throws ArgumentError  if there is a problem
TaskGradients task_gradients(LessonState const& state);

struct Training {
    std::vector<TrainingPoint> points; // steps + 1: before each step and after the last; fewer where the run stopped
    std::optional<std::size_t> stopped_at; // the steps taken when the loss was first not finite, which ends a run
    ProjectionWeights trained;             // the matrices after the last step
    Matrix<double> masked;                 // (T, T); the scores that these give the head, -infinity where hidden
    Matrix<double> weights;                // (T, T); the weights that these give it
};

/// Why a state cannot be trained: a problem of its own, a second sentence, fewer than two tokens that are no
/// padding, no matrices; or what is wrong with the options.
Problem find_problem(LessonState const& state, TrainingOptions const& options);

/// Plain gradient descent, W := W - learning_rate dL/dW and likewise the biases that there are, with every mode of the
/// state as it is.
///
/// @throws ArgumentError  if there is a problem
/// Source: the task and its two outcomes are measured, not derived; the gradients are `layer_gradients`'.
Training train(LessonState const& state, TrainingOptions const& options = {});

} // namespace attention
