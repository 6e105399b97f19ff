#include "training.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "axpy.hpp"
#include "metrics.hpp"

namespace attention {
namespace {

Problem find_start_problem(ProjectionWeights const& start, LessonState const& state) {
    constexpr char const* names[] = {"start.W_q", "start.W_k", "start.W_v", "start.b_q", "start.b_k", "start.b_v"};
    ProjectionWeights const own = layer(state).weights;
    Requirements requirements;
    for (std::size_t index = 0; index < std::size(names); ++index) {
        Matrix<double> const& part = start.*weight_parts[index];
        Matrix<double> const& asked = own.*weight_parts[index];
        std::size_t const shared = index < 3 ? 0 : 3; // the query's
        requirements.require(part.size() == asked.size() && (part.size() == 0 || part.shape() == asked.shape()),
                             names[index], {"has shape ", shape_of(part)}, {"the state asks for ", shape_of(asked)});
        requirements.require(state.projections != ProjectionMode::shared || !requirements.hold() ||
                                 std::equal(part.begin(), part.end(), (start.*weight_parts[shared]).begin()),
                             names[index], {"differs from ", names[shared]}, {"one matrix is shared"});
    }
    return requirements.first_problem();
}

/// W := W - learning_rate gradient
void descend(Matrix<double>& W, Matrix<double> const& gradient, double learning_rate) {
    axpy(W.size(), -learning_rate, gradient.data(), W.data());
}

void descend(ProjectionWeights& weights, LayerGradients const& gradients, LayerSettings const& settings,
             TrainingOptions const& options) {
    if (settings.projections == ProjectionMode::shared) {
        descend(weights.W_q, gradients.W_shared, options.learning_rate);
        descend(weights.b_q, gradients.b_shared, options.learning_rate);
        weights.W_k = weights.W_q;
        weights.W_v = weights.W_q;
        weights.b_k = weights.b_q;
        weights.b_v = weights.b_q;
        return;
    }
    if (options.matrices != TrainedMatrices::value) {
        descend(weights.W_q, gradients.W_q, options.learning_rate);
        descend(weights.W_k, gradients.W_k, options.learning_rate);
        descend(weights.b_q, gradients.b_q, options.learning_rate);
        descend(weights.b_k, gradients.b_k, options.learning_rate);
    }
    if (options.matrices != TrainedMatrices::query_and_key) {
        descend(weights.W_v, gradients.W_v, options.learning_rate);
        descend(weights.b_v, gradients.b_v, options.learning_rate);
    }
}

void measure_rows(TrainingPoint& point, HeadPass const& head, LayerPass const& pass, LayerSettings const& settings) {
    Vector<double> const jacobians =
        row_metrics(head, pass.visible, pass.softmax_sees, settings, pass.visible.shape(0)).jacobian;
    std::size_t const rows = settings.key_length.value_or(jacobians.size()); // padding counts for nothing
    for (std::size_t i = 0; i < rows; ++i) {
        double const jacobian = jacobians.data()[i];
        point.mean_jacobian += jacobian / static_cast<double>(rows);
        point.largest_jacobian =
            point.largest_jacobian < jacobian || std::isnan(jacobian) ? jacobian : point.largest_jacobian;
    }
}

/// The gradients of the task's loss; empty where that is not finite.
LayerGradients gradients_of(TaskLoss const& task, Matrix<double> const& X, ProjectionWeights const& weights,
                            LayerPass const& pass, LayerSettings const& settings) {
    return std::isfinite(task.loss) ? layer_gradients(X, weights, pass, task.output_gradient, settings)
                                    : LayerGradients();
}

/// The norm of a matrix and the bias beside it.
double norm_of(Matrix<double> const& W, Matrix<double> const& b) {
    return b.size() == 0 ? frobenius_norm(W) : std::hypot(frobenius_norm(W), frobenius_norm(b), 0.0);
}

double trained_norm(LayerGradients const& gradients, LayerSettings const& settings, TrainedMatrices matrices) {
    if (settings.projections == ProjectionMode::shared) {
        return norm_of(gradients.W_shared, gradients.b_shared);
    }
    bool const with_query_and_key = matrices != TrainedMatrices::value;
    bool const with_value = matrices != TrainedMatrices::query_and_key;
    return std::hypot(with_query_and_key ? norm_of(gradients.W_q, gradients.b_q) : 0,
                      with_query_and_key ? norm_of(gradients.W_k, gradients.b_k) : 0,
                      with_value ? norm_of(gradients.W_v, gradients.b_v) : 0);
}

/// @param head  the one whose Jacobians are measured
TrainingPoint point_of(TaskLoss const& task, LayerGradients const& gradients, LayerPass const& pass,
                       LayerSettings const& settings, std::size_t head, TrainedMatrices matrices) {
    TrainingPoint point;
    point.loss = task.loss;
    measure_rows(point, pass.heads[head], pass, settings);
    bool const is_finite = std::isfinite(task.loss);
    double const none = std::numeric_limits<double>::quiet_NaN();
    point.W_q_norm = is_finite ? frobenius_norm(gradients.W_q) : none;
    point.W_k_norm = is_finite ? frobenius_norm(gradients.W_k) : none;
    point.W_v_norm = is_finite ? frobenius_norm(gradients.W_v) : none;
    point.trained_norm = is_finite ? trained_norm(gradients, settings, matrices) : none;
    return point;
}

Problem find_state_problem(LessonState const& state) {
    if (Problem problem = find_problem(state)) {
        return problem;
    }
    MessagePart const task = "the task is to hand over the value of the token before";
    Requirements requirements;
    requirements.require(state.context.empty(), "context", {"holds tokens"}, {task, ", in one sentence"});
    requirements.require(state.tokens.size() >= 2, "tokens", {"holds 1 token"}, {task});
    requirements.require(state.tokens.size() >= 2 + state.padding, "padding", {"leaves 1 token"}, {task});
    return requirements.first_problem();
}

} // namespace

TaskLoss task_loss(Matrix<double> const& output, Matrix<double> const& value, std::size_t padding) {
    std::size_t const n = output.shape(0) - std::min(padding, output.shape(0));
    std::size_t const d_v = output.shape(1);
    throw_if_problem([&] {
        Requirements requirements;
        requirements.require(n >= 2, "output", {"has shape ", shape_of(output)}, {"the task needs at least two rows"});
        requirements.require(value.shape() == output.shape(), "value", {"has shape ", shape_of(value)},
                             {"the output has shape ", shape_of(output)});
        return requirements.first_problem();
    });
    TaskLoss task{0, make_matrix<double>(output.shape(0), d_v)};
    auto const count = static_cast<double>((n - 1) * d_v);
    for (std::size_t i = 1; i < n; ++i) {
        double const* const z = row_of(output, i);
        double const* const target = row_of(value, i - 1);
        double* const gradient = row_of(task.output_gradient, i);
        for (std::size_t c = 0; c < d_v; ++c) {
            double const error = z[c] - target[c];
            task.loss += error * error;
            gradient[c] = 2 * error / count;
        }
    }
    task.loss /= count;
    return task;
}

Problem find_task_problem(LessonState const& state) {
    if (Problem problem = find_state_problem(state)) {
        return problem;
    }
    return find_overflow(layer(state).pass);
}

TaskGradients task_gradients(LessonState const& state) {
    throw_if_problem([&] { return find_task_problem(state); });
    Layer const start = layer(state);
    TaskLoss const task = task_loss(start.pass.output, start.pass.blended, state.padding);
    LayerGradients gradients = gradients_of(task, start.X, start.weights, start.pass, layer_settings(state));
    Matrix<double>& scores = gradients.scores[state.head];
    double largest_score = 0;
    for (double const entry : scores) {
        largest_score = std::max(largest_score, std::abs(entry));
    }
    double const scores_norm = frobenius_norm(scores);
    Vector<double> shares = make_vector<double>(scores.shape(0));
    for (std::size_t i = 0; scores_norm != 0 && i < shares.size(); ++i) {
        for (std::size_t j = 0; j < scores.shape(1); ++j) {
            double const part = row_of(scores, i)[j] / scores_norm; // squared alone, a small gradient would vanish
            shares.data()[i] += part * part;
        }
    }
    TrainingPoint point =
        point_of(task, gradients, start.pass, layer_settings(state), state.head, TrainingOptions().matrices);
    return {point, std::move(scores), largest_score, scores_norm, std::move(shares)};
}

Problem find_problem(LessonState const& state, TrainingOptions const& options) {
    if (Problem problem = find_state_problem(state)) {
        return problem;
    }
    double const rate = options.learning_rate;
    Requirements requirements;
    requirements.require(state.projections != ProjectionMode::identity, "projections", {"is \"identity\""},
                         {"training needs matrices to train"});
    requirements.require_between(0, maximum_steps, "steps", options.steps);
    requirements.require(rate > 0 && std::isfinite(rate), "learning_rate",
                         {"is ", rate == 0  ? MessagePart("0")
                                 : rate < 0 ? MessagePart("negative")
                                            : MessagePart(rate)},
                         {"must be positive and finite"});
    return requirements.hold() && options.start ? find_start_problem(*options.start, state)
                                                : requirements.first_problem();
}

Training train(LessonState const& state, TrainingOptions const& options) {
    throw_if_problem([&] { return find_problem(state, options); });
    Layer const start = layer(state);
    LayerSettings const settings = layer_settings(state);
    ProjectionWeights weights = options.start.value_or(start.weights);
    std::vector<TrainingPoint> points(options.steps + 1);
    for (std::size_t step = 0;; ++step) {
        LayerPass pass = layer_pass(start.X, weights, settings);
        TaskLoss const task = task_loss(pass.output, start.pass.blended, state.padding);
        LayerGradients const gradients = gradients_of(task, start.X, weights, pass, settings);
        points[step] = point_of(task, gradients, pass, settings, state.head, options.matrices);
        bool const is_finite = std::isfinite(task.loss);
        if (!is_finite || step == options.steps) {
            points.erase(points.begin() + static_cast<std::ptrdiff_t>(step) + 1, points.end());
            HeadPass& head = pass.heads[state.head];
            return {std::move(points), is_finite ? std::nullopt : std::optional(step), std::move(weights),
                    std::move(head.masked), std::move(head.weights)};
        }
        descend(weights, gradients, settings, options);
    }
}

} // namespace attention
