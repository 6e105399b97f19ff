// The functions with which JavaScript reaches the core's gradients and training.

#include "lesson_state.hpp"

#include "training.hpp"

namespace {

using attention::Problem;
using packing::Arguments;
using packing::Results;

attention::TrainingOptions training_options(Arguments& arguments) {
    attention::TrainingOptions options;
    options.steps = arguments.size();
    options.learning_rate = arguments.number();
    arguments.choose(options.matrices);
    if (arguments.number() != 0) {
        attention::ProjectionWeights& start = options.start.emplace();
        for (auto const part : attention::weight_parts) {
            arguments.read(start.*part);
        }
    }
    return options;
}

void append(Results& results, attention::TrainingPoint const& point) {
    for (double const figure : {point.loss, point.W_q_norm, point.W_k_norm, point.W_v_norm, point.trained_norm,
                                point.mean_jacobian, point.largest_jacobian}) {
        results.append(figure);
    }
}

Problem train(Arguments& arguments, Results& results) {
    attention::LessonState const state = packing::lesson_state(arguments);
    attention::TrainingOptions const options = training_options(arguments);
    if (Problem problem = attention::find_problem(state, options)) {
        return problem;
    }
    attention::Training const training = attention::train(state, options);
    results.append(static_cast<double>(training.points.size()));
    for (attention::TrainingPoint const& point : training.points) {
        append(results, point);
    }
    results.append(training.stopped_at ? static_cast<double>(*training.stopped_at) : -1);
    for (auto const part : attention::weight_parts) {
        results.append(training.trained.*part);
    }
    results.append(training.masked);
    results.append(training.weights);
    return {};
}

Problem task_gradients(Arguments& arguments, Results& results) {
    attention::LessonState const state = packing::lesson_state(arguments);
    if (Problem problem = attention::find_task_problem(state)) {
        return problem;
    }
    attention::TaskGradients const gradients = attention::task_gradients(state);
    append(results, gradients.point);
    results.append(gradients.scores);
    results.append(gradients.largest_score);
    results.append(gradients.scores_norm);
    results.append(gradients.shares);
    return {};
}

} // namespace

EMSCRIPTEN_BINDINGS(training) {
    emscripten::function("train", &packing::entry_point<train>);
    emscripten::function("taskGradients", &packing::entry_point<task_gradients>);
}
