// The table between JavaScript and the core's gradients and training, without logic.

#include "lesson_state.hpp"

#include "training.hpp"

namespace {

using emscripten::val;
using packing::append;
using packing::Arguments;

attention::TrainingOptions training_options(Arguments& arguments) {
    attention::TrainingOptions options;
    options.steps = arguments.size();
    options.learning_rate = arguments.number();
    arguments.choose(options.matrices);
    if (arguments.number() != 0) {
        options.start = {arguments.matrix(), arguments.matrix(), arguments.matrix()};
    }
    return options;
}

void append(std::vector<double>& numbers, attention::TrainingPoint const& point) {
    append(numbers, point.loss);
    append(numbers, point.W_q_norm);
    append(numbers, point.W_k_norm);
    append(numbers, point.W_v_norm);
    append(numbers, point.mean_jacobian);
    append(numbers, point.largest_jacobian);
}

void train(val const& packed, std::size_t size, val const& receiver) {
    Arguments arguments(packed, size);
    attention::LessonState const state = packing::lesson_state(arguments);
    attention::TrainingOptions const options = training_options(arguments);
    if (packing::is_refused(receiver, attention::find_problem(state, options))) {
        return;
    }
    attention::Training const training = attention::train(state, options);
    std::vector<double> numbers;
    append(numbers, static_cast<double>(training.points.size()));
    for (attention::TrainingPoint const& point : training.points) {
        append(numbers, point);
    }
    append(numbers, training.stopped_at ? static_cast<double>(*training.stopped_at) : -1);
    append(numbers, training.trained.W_q);
    append(numbers, training.trained.W_k);
    append(numbers, training.trained.W_v);
    append(numbers, training.masked);
    append(numbers, training.weights);
    packing::deliver(receiver, numbers);
}

void task_gradients(val const& packed, std::size_t size, val const& receiver) {
    Arguments arguments(packed, size);
    attention::LessonState const state = packing::lesson_state(arguments);
    if (packing::is_refused(receiver, attention::find_task_problem(state))) {
        return;
    }
    attention::TaskGradients const gradients = attention::task_gradients(state);
    std::vector<double> numbers;
    append(numbers, gradients.point);
    append(numbers, gradients.scores);
    append(numbers, gradients.largest_score);
    packing::deliver(receiver, numbers);
}

} // namespace

EMSCRIPTEN_BINDINGS(training) {
    emscripten::function("train", &train);
    emscripten::function("taskGradients", &task_gradients);
}
