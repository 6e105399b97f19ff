#include "training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "axpy.hpp"
#include "metrics.hpp"

namespace attention {
namespace {

Problem find_start_problem(ProjectionWeights const& start, LessonState const& state) {
    std::pair<char const*, Matrix<double> const*> const named[] = {
        {"start.W_q", &start.W_q}, {"start.W_k", &start.W_k}, {"start.W_v", &start.W_v}};
    Requirements requirements;
    for (auto const& [name, W] : named) {
        std::size_t const columns = state.heads * (W == &start.W_v ? state.d_v : state.d_k);
        requirements.require(W->shape(0) == state.d_model && W->shape(1) == columns, name, {"has shape ", shape_of(*W)},
                             {"the state asks for ", Part(state.d_model, columns)});
        requirements.require(state.projections != ProjectionMode::shared || !requirements.hold() ||
                                 std::equal(W->begin(), W->end(), start.W_q.begin()),
                             name, {"differs from start.W_q"}, {"one matrix is shared"});
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
        weights.W_k = weights.W_q;
        weights.W_v = weights.W_q;
        return;
    }
    if (options.matrices != TrainedMatrices::value) {
        descend(weights.W_q, gradients.W_q, options.learning_rate);
        descend(weights.W_k, gradients.W_k, options.learning_rate);
    }
    if (options.matrices != TrainedMatrices::query_and_key) {
        descend(weights.W_v, gradients.W_v, options.learning_rate);
    }
}

void measure_jacobians(TrainingPoint& point, Matrix<double> const& weights, Visibility const& visible) {
    Vector<double> const jacobians = row_metrics(weights, visible).jacobian;
    for (double const jacobian : jacobians) {
        point.mean_jacobian += jacobian / static_cast<double>(jacobians.size());
        point.largest_jacobian =
            point.largest_jacobian < jacobian || std::isnan(jacobian) ? jacobian : point.largest_jacobian;
    }
}

/// A forward and a backward pass of the task.
struct Asked {
    LayerPass pass;
    TrainingPoint point;
    LayerGradients gradients; // empty where the loss is not finite
};

/// @param targets (T, heads * d_v); row i is what row i + 1 has to hand over
/// @param head    the one whose Jacobians are measured
Asked ask(Matrix<double> const& X, ProjectionWeights const& weights, LayerSettings const& settings,
          Matrix<double> const& targets, std::size_t head) {
    Asked asked;
    asked.pass = layer_pass(X, weights, settings);
    TaskLoss const task = task_loss(asked.pass.output, targets);
    TrainingPoint& point = asked.point;
    point.loss = task.loss;
    measure_jacobians(point, asked.pass.heads[head].weights, asked.pass.visible);
    if (std::isfinite(task.loss)) {
        asked.gradients = layer_gradients(X, weights, asked.pass, task.output_gradient, settings);
        point.W_q_norm = frobenius_norm(asked.gradients.W_q);
        point.W_k_norm = frobenius_norm(asked.gradients.W_k);
        point.W_v_norm = frobenius_norm(asked.gradients.W_v);
    } else {
        point.W_q_norm = point.W_k_norm = point.W_v_norm = std::numeric_limits<double>::quiet_NaN();
    }
    return asked;
}

Problem find_state_problem(LessonState const& state) {
    Problem const problem = find_problem(state);
    return problem ? problem
                   : problem_unless(state.tokens.size() >= 2, "tokens", {"holds 1 token"},
                                    {"the task is to hand over the value of the token before"});
}

} // namespace

TaskLoss task_loss(Matrix<double> const& output, Matrix<double> const& value) {
    std::size_t const n = output.shape(0);
    std::size_t const d_v = output.shape(1);
    require_none([&] {
        Requirements requirements;
        requirements.require(n >= 2, "output", {"has shape ", shape_of(output)}, {"the task needs at least two rows"});
        requirements.require(value.shape() == output.shape(), "value", {"has shape ", shape_of(value)},
                             {"the output has shape ", shape_of(output)});
        return requirements.first_problem();
    });
    TaskLoss task;
    task.output_gradient = make_matrix<double>(n, d_v);
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
    require_none([&] { return find_task_problem(state); });
    Layer const start = layer(state);
    Asked asked = ask(start.X, start.weights, layer_settings(state), start.pass.blended, state.head);
    TaskGradients result;
    result.point = asked.point;
    result.scores = std::move(asked.gradients.scores[state.head]);
    for (double const entry : result.scores) {
        result.largest_score = std::max(result.largest_score, std::abs(entry));
    }
    return result;
}

Problem find_problem(LessonState const& state, TrainingOptions const& options) {
    if (Problem problem = find_state_problem(state)) {
        return problem;
    }
    double const rate = options.learning_rate;
    Requirements requirements;
    requirements.require(state.projections != ProjectionMode::identity, "projections", {"is \"identity\""},
                         {"training needs matrices to train"});
    requirements.require(options.steps <= maximum_steps, "steps", {"is ", options.steps},
                         {"must be a whole number from 0 to ", maximum_steps});
    requirements.require(rate > 0 && std::isfinite(rate), "learning_rate",
                         {"is ", rate == 0  ? Part("0")
                                 : rate < 0 ? Part("negative")
                                            : Part(rate)},
                         {"must be positive and finite"});
    return requirements.hold() && options.start ? find_start_problem(*options.start, state)
                                                : requirements.first_problem();
}

Training train(LessonState const& state, TrainingOptions const& options) {
    require_none([&] { return find_problem(state, options); });
    Layer const start = layer(state);
    LayerSettings const settings = layer_settings(state);
    Training training;
    training.trained = options.start.value_or(start.weights);
    training.points.reserve(options.steps + 1);
    for (std::size_t step = 0;; ++step) {
        Asked asked = ask(start.X, training.trained, settings, start.pass.blended, state.head);
        training.points.push_back(asked.point);
        if (!std::isfinite(asked.point.loss)) {
            training.stopped_at = step;
        }
        if (training.stopped_at || step == options.steps) {
            HeadPass& head = asked.pass.heads[state.head];
            training.masked = std::move(head.masked);
            training.weights = std::move(head.weights);
            return training;
        }
        descend(training.trained, asked.gradients, settings, options);
    }
}

} // namespace attention
