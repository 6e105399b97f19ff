// The command-line program: numbers as a table or JSON, and claims about them checked, from the core the page uses.
//
//   attention lesson --d-k 64 --divisor none --expect 'peak[1] >= 0.99'
//   attention train --d-k 64 --steps 200 --expect 'loss[200] < 0.1'
//   attention law --d-k 2,8,32 --seeds 1000 --expect 'unscaled.spread[2] > 5'

#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "claim.hpp"
#include "lesson.hpp"
#include "options.hpp"
#include "report.hpp"
#include "statistics.hpp"
#include "training.hpp"

namespace {

constexpr int claims_hold = 0;
constexpr int claim_fails = 1;
constexpr int cannot_compute = 2;

/// What every command does with its numbers.
struct OutputOptions {
    bool json = false;
    std::vector<std::string> claims;

    void add_to(CLI::App& to, std::string const& example) {
        to.add_flag("--json", json, "print everything as JSON");
        to.add_option("--expect", claims, "a claim, such as '" + example + "'; may be repeated")
            ->allow_extra_args(false);
    }
};

/// Prints what is asked for, a table unless there are claims, and checks the claims.
///
/// @param compute  gives the report; called once the claims have been read
template <class Compute> int conclude(OutputOptions const& output, Compute compute) {
    std::vector<attention::Claim> claims;
    for (std::string const& text : output.claims) {
        claims.push_back(attention::parse_claim(text));
    }
    attention::Report const report = compute();
    if (output.json) {
        std::cout << report.json.dump(2) << '\n';
    } else if (claims.empty()) {
        std::cout << report.table;
    }
    bool all_hold = true;
    for (attention::Claim const& claim : claims) {
        attention::Verdict const verdict = attention::check(claim, report.json);
        all_hold = all_hold && verdict.holds;
        std::ostream& stream = output.json ? std::cerr : std::cout;
        stream << (verdict.holds ? "holds: " : "FAILS: ") << claim.text << "  (it is " << verdict.found << ")\n";
    }
    return all_hold ? claims_hold : claim_fails;
}

attention::Report lesson_report(attention::StateOptions const& options) {
    attention::LessonState const state = options.state();
    return attention::report_of(state, attention::lesson(state));
}

attention::Report training_report(attention::StateOptions const& state, attention::TrainOptions const& options) {
    return attention::report_of(attention::train(state.state(), options.options()));
}

attention::Report law_report(attention::LawOptions const& options) {
    attention::LawOptions::Run const run = options.run();
    attention::Sample const sample =
        attention::sample(run.settings, run.first_seed, run.seeds, attention::Threads(0)); // all there are
    std::vector<attention::WidthSummary> summaries;
    for (std::size_t const d_k : run.widths) {
        summaries.push_back(attention::summarise(run.settings, sample.spread, sample.sums, d_k));
    }
    return attention::report_of(run.widths, run.seeds, summaries);
}

/// The status of a call, once everything that it wrote has arrived.
int status_of(int status) {
    std::cout.flush();
    std::cerr.flush();
    if (std::cout && std::cerr) {
        return status;
    }
    std::cerr << "attention: the output cannot be written\n";
    return cannot_compute;
}

} // namespace

int main(int argument_count, char** argument_values) {
    CLI::App program("Self-attention with trainable weights: its numbers, and claims about them checked.", "attention");
    program.require_subcommand(1);
    program.set_version_flag("--version", ATTENTION_VERSION);
    program.footer(
        "Exit status: 0 when every claim holds, 1 when one does not, 2 when the call cannot be understood or "
        "computed, or its output not be written.\n'attention <command> --help' lists a command's options.");
    OutputOptions output;

    CLI::App* const lesson = program.add_subcommand("lesson", "compute a lesson's state");
    attention::StateOptions shown;
    shown.add_to(*lesson);
    output.add_to(*lesson, "peak[1] >= 0.99");

    CLI::App* const train = program.add_subcommand("train", "train a lesson's matrices by gradient descent");
    attention::StateOptions trained;
    attention::TrainOptions training;
    trained.add_to(*train);
    training.add_to(*train);
    output.add_to(*train, "loss[200] < 0.1");

    CLI::App* const law = program.add_subcommand("law", "measure over many seeds how the spread of q.k grows with d_k");
    attention::LawOptions sampling;
    sampling.add_to(*law);
    output.add_to(*law, "unscaled.spread[0] > 1.2");

    try {
        program.parse(argument_count, argument_values);
        return status_of(conclude(output, [&] {
            return lesson->parsed()  ? lesson_report(shown)
                   : train->parsed() ? training_report(trained, training)
                                     : law_report(sampling);
        }));
    } catch (CLI::ParseError const& error) {
        return status_of(program.exit(error) == 0 ? claims_hold : cannot_compute);
    } catch (std::bad_alloc const&) {
        std::cerr << "attention: there is not enough memory for this call\n";
        return cannot_compute;
    } catch (std::exception const& error) {
        std::cerr << "attention: " << error.what() << '\n';
        return cannot_compute;
    }
}
