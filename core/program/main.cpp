// The command-line program: a lesson's numbers as a table or JSON, and its claims checked, from the core the page uses.
//
//   attention lesson --d-k 64 --divisor none --expect 'peak[1] >= 0.99'
//
// Exit status: 0 when every claim holds, 1 when one does not, 2 when the call cannot be understood or computed.

#include <exception>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "claim.hpp"
#include "lesson.hpp"
#include "report.hpp"

namespace {

constexpr int claims_hold = 0;
constexpr int claim_fails = 1;
constexpr int cannot_compute = 2;

struct Arguments {
    std::string preset = "sentence";
    std::string tokens;
    std::string divisor;
    std::string mask;
    std::string projections;
    std::string softmax_axis;
    std::string softmax;
    std::string blend;
    long long d_model = 0;
    long long d_k = 0;
    long long d_v = 0;
    long long row = 0;
    long long seed = 0;
    bool json = false;
    std::vector<std::string> claims;
};

std::vector<std::string> words(std::string const& text) {
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; stream >> word;) {
        words.push_back(word);
    }
    return words;
}

/// The core checks what a number may be at most; that it is one of its kind at all is checked here.
template <class Whole> Whole whole(char const* option, long long number) {
    if (number < 0 || number > std::numeric_limits<std::uint32_t>::max()) {
        attention::raise({option, "is " + std::to_string(number), "must be a whole number from 0 to 4294967295"});
    }
    return static_cast<Whole>(number);
}

/// The lesson's state: the preset's defaults, and over them what the command line says.
attention::LessonState state_from(CLI::App const& command, Arguments const& arguments) {
    auto const given = [&](char const* option) { return command.count(option) > 0; };
    attention::LessonState state = attention::parse_preset(arguments.preset) == attention::Preset::four_token
                                       ? attention::four_token_state()
                                       : attention::LessonState();
    if (given("--tokens")) {
        state.tokens = words(arguments.tokens);
        state.row = state.tokens.size() > 1 ? 1 : 0;
    }
    if (given("--d-model")) {
        state.d_model = whole<std::size_t>("d_model", arguments.d_model);
    }
    if (given("--d-k")) {
        state.d_k = state.d_v = whole<std::size_t>("d_k", arguments.d_k);
    }
    if (given("--d-v")) {
        state.d_v = whole<std::size_t>("d_v", arguments.d_v);
    }
    if (given("--divisor")) {
        state.divisor = attention::parse_divisor(arguments.divisor);
    }
    if (given("--mask")) {
        state.mask = attention::parse_mask(arguments.mask);
    }
    if (given("--projections")) {
        state.projections = attention::parse_projections(arguments.projections);
    }
    if (given("--softmax-axis")) {
        state.softmax_axis = attention::parse_softmax_axis(arguments.softmax_axis);
    }
    if (given("--softmax")) {
        state.softmax = attention::parse_softmax(arguments.softmax);
    }
    if (given("--blend")) {
        state.blend = attention::parse_blend(arguments.blend);
    }
    if (given("--row")) {
        state.row = whole<std::size_t>("row", arguments.row);
    }
    if (given("--seed")) {
        state.seed = whole<std::uint32_t>("seed", arguments.seed);
    }
    return state;
}

int run_lesson(CLI::App const& command, Arguments const& arguments) {
    std::vector<attention::Claim> claims;
    for (std::string const& text : arguments.claims) {
        claims.push_back(attention::parse_claim(text));
    }
    attention::LessonState const state = state_from(command, arguments);
    attention::Lesson const lesson = attention::lesson(state);
    nlohmann::json const report = attention::lesson_report(state, lesson);

    if (arguments.json) {
        std::cout << report.dump(2) << '\n';
    } else if (claims.empty()) {
        std::cout << attention::lesson_table(state, lesson);
    }
    bool all_hold = true;
    for (attention::Claim const& claim : claims) {
        attention::Verdict const verdict = attention::check(claim, report);
        all_hold = all_hold && verdict.holds;
        std::ostream& stream = arguments.json ? std::cerr : std::cout;
        stream << (verdict.holds ? "holds: " : "FAILS: ") << claim.text << "  (it is " << verdict.found << ")\n";
    }
    return all_hold ? claims_hold : claim_fails;
}

void add_options(CLI::App& command, Arguments& arguments) {
    command.add_option("--preset", arguments.preset, "sentence or four-token");
    command.add_option("--tokens", arguments.tokens, "words, parted by spaces");
    command.add_option("--d-model", arguments.d_model, "width of the embeddings");
    command.add_option("--d-k", arguments.d_k, "width of queries and keys");
    command.add_option("--d-v", arguments.d_v, "width of values (default: d-k)");
    command.add_option("--divisor", arguments.divisor, "sqrt, none or dk");
    command.add_option("--mask", arguments.mask, "none, causal or late");
    command.add_option("--projections", arguments.projections, "separate, shared or identity");
    command.add_option("--softmax-axis", arguments.softmax_axis, "keys or queries");
    command.add_option("--softmax", arguments.softmax, "stable or naive");
    command.add_option("--blend", arguments.blend, "values or embeddings");
    command.add_option("--row", arguments.row, "the highlighted query, from 0");
    command.add_option("--seed", arguments.seed, "decides embeddings and weights");
    command.add_flag("--json", arguments.json, "print every stage as JSON");
    command.add_option("--expect", arguments.claims, "a claim, such as 'peak[1] >= 0.99'; may be repeated")
        ->allow_extra_args(false);
}

} // namespace

int main(int argument_count, char** argument_values) {
    CLI::App program("Self-attention with trainable weights: a lesson's numbers, and its claims checked.", "attention");
    program.require_subcommand(1);
    program.set_version_flag("--version", ATTENTION_VERSION);
    Arguments arguments;
    CLI::App* const lesson = program.add_subcommand("lesson", "compute a lesson's state");
    add_options(*lesson, arguments);
    try {
        program.parse(argument_count, argument_values);
        return run_lesson(*lesson, arguments);
    } catch (CLI::ParseError const& error) {
        return program.exit(error) == 0 ? claims_hold : cannot_compute;
    } catch (std::exception const& error) {
        std::cerr << "attention: " << error.what() << '\n';
        return cannot_compute;
    }
}
