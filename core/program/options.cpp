#include "options.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

namespace attention {
namespace {

std::vector<std::string> words(std::string const& text) {
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; stream >> word;) {
        words.push_back(word);
    }
    return words;
}

/// The core checks what a number may be at most; that it is one of its kind at all is checked here.
template <class Whole> Whole whole(char const* name, long long number) {
    if (number < 0 || number > std::numeric_limits<std::uint32_t>::max()) {
        raise({name, "is " + std::to_string(number), "must be a whole number from 0 to 4294967295"});
    }
    return static_cast<Whole>(number);
}

} // namespace

void StateOptions::add_to(CLI::App& to) {
    command = &to;
    to.add_option("--preset", preset, "sentence or four-token");
    to.add_option("--tokens", tokens, "words, parted by spaces");
    to.add_option("--d-model", d_model, "width of the embeddings");
    to.add_option("--d-k", d_k, "width of queries and keys");
    to.add_option("--d-v", d_v, "width of values (default: d-k)");
    to.add_option("--divisor", divisor, "sqrt, none or dk");
    to.add_option("--mask", mask, "none, causal or late");
    to.add_option("--projections", projections, "separate, shared or identity");
    to.add_option("--softmax-axis", softmax_axis, "keys or queries");
    to.add_option("--softmax", softmax, "stable or naive");
    to.add_option("--blend", blend, "values or embeddings");
    to.add_option("--heads", heads, "how many, each with d-k columns of its own");
    to.add_option("--head", head, "the one that is shown, from 0");
    to.add_option("--row", row, "the highlighted query, from 0");
    to.add_option("--seed", seed, "decides embeddings and weights");
}

LessonState StateOptions::state() const {
    auto const given = [&](char const* option) { return command->count(option) > 0; };
    LessonState state = parse_preset(preset) == Preset::four_token ? four_token_state() : LessonState();
    if (given("--tokens")) {
        state.tokens = words(tokens);
        state.row = state.tokens.size() > 1 ? 1 : 0;
    }
    if (given("--d-model")) {
        state.d_model = whole<std::size_t>("d_model", d_model);
    }
    if (given("--d-k")) {
        state.d_k = state.d_v = whole<std::size_t>("d_k", d_k);
    }
    if (given("--d-v")) {
        state.d_v = whole<std::size_t>("d_v", d_v);
    }
    if (given("--divisor")) {
        state.divisor = parse_divisor(divisor);
    }
    if (given("--mask")) {
        state.mask = parse_mask(mask);
    }
    if (given("--projections")) {
        state.projections = parse_projections(projections);
    }
    if (given("--softmax-axis")) {
        state.softmax_axis = parse_softmax_axis(softmax_axis);
    }
    if (given("--softmax")) {
        state.softmax = parse_softmax(softmax);
    }
    if (given("--blend")) {
        state.blend = parse_blend(blend);
    }
    if (given("--heads")) {
        state.heads = whole<std::size_t>("heads", heads);
    }
    if (given("--head")) {
        state.head = whole<std::size_t>("head", head);
    }
    if (given("--row")) {
        state.row = whole<std::size_t>("row", row);
    }
    if (given("--seed")) {
        state.seed = whole<std::uint32_t>("seed", seed);
    }
    return state;
}

void TrainOptions::add_to(CLI::App& to) {
    to.add_option("--steps", steps, "of gradient descent; 0 measures the start")->capture_default_str();
    to.add_option("--learning-rate", learning_rate, "what a gradient is multiplied by")->capture_default_str();
    to.add_option("--matrices", matrices, "those that are trained: query-and-key, value or all")->capture_default_str();
}

TrainingOptions TrainOptions::options() const {
    TrainingOptions options;
    options.steps = whole<std::size_t>("steps", steps);
    options.learning_rate = learning_rate;
    if (matrices == "value") {
        options.matrices = TrainedMatrices::value;
    } else if (matrices == "all") {
        options.matrices = TrainedMatrices::all;
    } else if (matrices != "query-and-key") {
        raise({"matrices", "is \"" + matrices + "\"", "must be query-and-key, value or all"});
    }
    return options;
}

void LawOptions::add_to(CLI::App& to) {
    command = &to;
    to.add_option("--d-k", d_k, "widths, parted by commas")->delimiter(',')->capture_default_str();
    to.add_option("--seeds", seeds, "how many")->capture_default_str();
    to.add_option("--first-seed", first_seed, "the others follow it")->capture_default_str();
    to.add_option("--tokens", tokens, "words, parted by spaces");
    to.add_option("--d-model", d_model, "width of the embeddings");
}

LawOptions::Run LawOptions::run() const {
    Run run;
    for (long long const width : d_k) {
        run.widths.push_back(whole<std::size_t>("d_k", width));
    }
    run.settings.largest_d_k = *std::max_element(run.widths.begin(), run.widths.end());
    if (command->count("--tokens") > 0) {
        run.settings.tokens = words(tokens);
    }
    if (command->count("--d-model") > 0) {
        run.settings.d_model = whole<std::size_t>("d_model", d_model);
    }
    run.first_seed = whole<std::uint32_t>("first_seed", first_seed);
    run.seeds = whole<std::size_t>("seeds", seeds);
    if (Problem problem = find_problem(run.settings, run.first_seed, run.seeds)) {
        // In the words of the command line.
        problem->argument = problem->argument == "largest_d_k" ? "d_k"
                            : problem->argument == "count"     ? "seeds"
                                                               : problem->argument;
        raise(*problem);
    }
    return run;
}

} // namespace attention
