// What the command line says, as the core's settings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "lesson.hpp"
#include "statistics.hpp"
#include "training.hpp"

namespace attention {

// The options of a command are bound to one of these, which has to stay where it is; ask it when the command line has
// been parsed.

/// An option for each line of settings.def that a command line can hold, and one for a document that holds them all.
struct StateOptions {
    CLI::App const* command = nullptr;
    std::string document; // the path of a lesson's JSON
#define SETTING_CHOICE(field, Type, initial, meaning) std::string field;
#define SETTING_TOKENS(field, initial, meaning) std::string field;
#define SETTING_WHOLE(field, Type, least, most, initial, meaning) long long field = 0;
#define SETTING_NUMBER(field, least, below, initial, meaning) double field = 0;
#define SETTING_FOLLOWING(field, leader, least, most, meaning) long long field = 0;
#define SETTING_PLACE(field, count, initial, meaning) long long field = 0;
#include "settings.def"

    void add_to(CLI::App& to);

    /// The preset's defaults, over them what the document says, and over that what the command line says.
    ///
    /// @throws ArgumentError  if a number or name is none of its kind, or the document holds no state that can be
    ///                        computed; what else the core demands it checks itself
    LessonState state() const;
};

struct TrainOptions {
    long long steps = 200;
    double learning_rate = default_learning_rate;
    std::string matrices = "query-and-key";

    void add_to(CLI::App& to);

    /// @throws ArgumentError  the same
    TrainingOptions options() const;
};

struct LawOptions {
    CLI::App const* command = nullptr;
    std::vector<long long> d_k = {2, 4, 8, 16, 32, 64};
    long long seeds = 200;
    long long first_seed = 0;
    long long d_model = 0;
    std::string tokens;

    void add_to(CLI::App& to);

    struct Run {
        StatisticsSettings settings;
        std::vector<std::size_t> widths; // of d_k, those that are asked about
        std::uint32_t first_seed;
        std::size_t seeds;
    };

    /// @throws ArgumentError  if the run has a problem
    Run run() const;
};

} // namespace attention
