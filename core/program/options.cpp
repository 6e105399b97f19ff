#include "options.hpp"

#include <algorithm>
#include <limits>
#include <sstream>

#include "chosen_state.hpp"
#include "lesson_document.hpp"

namespace attention {
namespace {

/// Where a text stops being UTF-8, or its length. Overlong forms, surrogates and what is beyond U+10FFFF are none.
/// Source: The Unicode Standard 15.0, table 3-7.
std::size_t end_of_utf8(std::string const& text) {
    std::size_t at = 0;
    while (at < text.size()) {
        auto const byte = [&text, at](std::size_t ahead) {
            return at + ahead < text.size() ? static_cast<unsigned char>(text[at + ahead]) : 0u;
        };
        unsigned const first = byte(0);
        std::size_t const more = first < 0x80u                      ? 0
                                 : first >= 0xC2u && first <= 0xDFu ? 1
                                 : first >= 0xE0u && first <= 0xEFu ? 2
                                 : first >= 0xF0u && first <= 0xF4u ? 3
                                                                    : text.size();
        unsigned const least = first == 0xE0u ? 0xA0u : first == 0xF0u ? 0x90u : 0x80u;
        unsigned const most = first == 0xEDu ? 0x9Fu : first == 0xF4u ? 0x8Fu : 0xBFu;
        bool fits = more < 4 && (more == 0 || (byte(1) >= least && byte(1) <= most));
        for (std::size_t ahead = 2; fits && ahead <= more; ++ahead) {
            fits = byte(ahead) >= 0x80u && byte(ahead) <= 0xBFu;
        }
        if (!fits) {
            return at;
        }
        at += more + 1;
    }
    return text.size();
}

std::vector<std::string> words(char const* name, std::string const& text) {
    std::size_t const end = end_of_utf8(text);
    if (end != text.size()) {
        throw_problem({name, "is no UTF-8 from byte " + std::to_string(end) + " on", "must be text in UTF-8"});
    }
    std::vector<std::string> words;
    std::istringstream stream(text);
    for (std::string word; stream >> word;) {
        words.push_back(word);
    }
    return words;
}

/// The sentence for a whole number that is out of range whatever it is of; what the core allows is narrower.
[[noreturn]] void refuse_whole(std::string const& name, std::string const& number) {
    throw_problem({name, "is " + number, "must be a whole number from 0 to 4294967295"});
}

/// Gives whole numbers without leading zeros, which CLI11 would take for an octal number, and refuses hexadecimal ones,
/// and those of which CLI11 would make the largest that it has.
std::string take_whole(std::string const& option, std::string& text) {
    std::size_t const sign = text.find_first_of("+-") == 0 ? 1 : 0;
    std::size_t const digits = text.find_first_not_of('0', sign);
    if (text.size() == sign || text.find_first_not_of("0123456789", sign) != std::string::npos) {
        return "must be a whole number in decimal digits";
    }
    std::string const typed = text;
    text.erase(sign, digits == std::string::npos ? text.size() - sign - 1 : digits - sign);
    if (text.size() > sign + std::numeric_limits<long long>::digits10) {
        std::string name = option;
        std::replace(name.begin(), name.end(), '-', '_');
        refuse_whole(name, typed);
    }
    return "";
}

/// Refuses hexadecimal fractions.
std::string take_number(std::string& text) {
    return text.find_first_of("xX") == std::string::npos ? "" : "must be a number in decimal digits";
}

CLI::Option* only_whole(CLI::Option* option) {
    auto const take = [option](std::string& text) { return take_whole(option->get_single_name(), text); };
    return option->transform(CLI::Validator(take, ""));
}

CLI::Option* only_decimal(CLI::Option* option) {
    return option->transform(CLI::Validator(take_number, ""));
}

std::string with_dashes(std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

/// "d_k" is "--d-k".
std::string option(std::string const& field) {
    return "--" + with_dashes(field);
}

/// The names of a choice, such as "sqrt, none, dk".
template <class Choice> std::string choices() {
    std::string names;
#define CHOICE(Type, enumerator, note)                                                                                 \
    if constexpr (std::is_same_v<Type, Choice>) {                                                                      \
        names += (names.empty() ? "" : ", ") + with_dashes(#enumerator);                                               \
    }
#include "settings.def"
    return names;
}

std::string from(std::size_t least, std::size_t most) {
    return " (from " + std::to_string(least) + " to " + std::to_string(most);
}

/// The core checks what a number may be at most; that it is one of its kind at all is checked here.
template <class Whole> Whole whole(char const* name, long long number) {
    if (number < 0 || number > std::numeric_limits<std::uint32_t>::max()) {
        refuse_whole(name, std::to_string(number));
    }
    return static_cast<Whole>(number);
}

} // namespace

void StateOptions::add_to(CLI::App& to) {
    command = &to;
    to.add_option("--state", document, "a file of a lesson's state as JSON; options beside it override it")
        ->type_name("FILE");
#define SETTING_CHOICE(field, Type, initial, meaning)                                                                  \
    to.add_option(option(#field), field, meaning ": " + choices<Type>() + " (" + with_dashes(#initial) + ")");
#define SETTING_TOKENS(field, initial, meaning)                                                                        \
    to.add_option(option(#field), field, *initial == 0 ? meaning " (none)" : meaning " (" initial ")");
#define SETTING_WHOLE(field, Type, least, most, initial, meaning)                                                      \
    only_whole(                                                                                                        \
        to.add_option(option(#field), field, meaning + from(least, most) + ", " + std::to_string(initial) + ")"));
#define SETTING_NUMBER(field, least, below, initial, meaning)                                                          \
    only_decimal(                                                                                                      \
        to.add_option(option(#field), field, meaning " (from " #least " to less than " #below ", " #initial ")"));
#define SETTING_FOLLOWING(field, leader, least, most, meaning)                                                         \
    only_whole(                                                                                                        \
        to.add_option(option(#field), field, meaning + from(least, most) + ", that of " + option(#leader) + ")"));
#define SETTING_PLACE(field, count, initial, meaning)                                                                  \
    only_whole(                                                                                                        \
        to.add_option(option(#field), field, meaning + from(0, count - 1) + ", " + std::to_string(initial) + ")"));
#include "settings.def"
}

LessonState StateOptions::state() const {
    auto const given = [&](std::string const& field) {
        CLI::Option const* const found = command->get_option_no_throw(option(field));
        return found != nullptr && found->count() > 0;
    };
    ChosenState chosen = given("state") ? read_lesson_document(document) : ChosenState();
#define SETTING_CHOICE(field, Type, initial, meaning)                                                                  \
    if (given(#field)) {                                                                                               \
        chosen.field = parse_##field(field);                                                                           \
    }
#define SETTING_TOKENS(field, initial, meaning)                                                                        \
    if (given(#field)) {                                                                                               \
        chosen.field = words(#field, field);                                                                           \
    }
#define SETTING_WHOLE(field, Type, least, most, initial, meaning)                                                      \
    if (given(#field)) {                                                                                               \
        chosen.field = whole<Type>(#field, field);                                                                     \
    }
#define SETTING_NUMBER(field, least, below, initial, meaning)                                                          \
    if (given(#field)) {                                                                                               \
        chosen.field = field;                                                                                          \
    }
#define SETTING_FOLLOWING(field, leader, least, most, meaning)                                                         \
    if (given(#field)) {                                                                                               \
        chosen.field = whole<std::size_t>(#field, field);                                                              \
    }
#define SETTING_PLACE(field, count, initial, meaning)                                                                  \
    if (given(#field)) {                                                                                               \
        chosen.field = whole<std::size_t>(#field, field);                                                              \
    }
#include "settings.def"
    LessonState state = completed(chosen);
    Problem problem = given("state") ? find_problem(state) : Problem();
    if (problem && !given(problem->argument)) {
        // In the words of the document.
        problem->argument = document + ": " + property_name(problem->argument);
        throw_problem(*problem);
    }
    return state;
}

void TrainOptions::add_to(CLI::App& to) {
    only_whole(to.add_option("--steps", steps, "of gradient descent; 0 measures the start"))->capture_default_str();
    only_decimal(to.add_option("--learning-rate", learning_rate, "what a gradient is multiplied by"))
        ->capture_default_str();
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
        throw_problem({"matrices", "is \"" + matrices + "\"", "must be query-and-key, value or all"});
    }
    return options;
}

void LawOptions::add_to(CLI::App& to) {
    command = &to;
    only_whole(to.add_option("--d-k", d_k, "widths, parted by commas")->delimiter(','))->capture_default_str();
    only_whole(to.add_option("--seeds", seeds, "how many"))->capture_default_str();
    only_whole(to.add_option("--first-seed", first_seed, "the others follow it"))->capture_default_str();
    to.add_option("--tokens", tokens, "words, parted by spaces");
    only_whole(to.add_option("--d-model", d_model, "width of the embeddings"));
}

LawOptions::Run LawOptions::run() const {
    Run run;
    for (long long const width : d_k) {
        run.widths.push_back(whole<std::size_t>("d_k", width));
    }
    run.settings.largest_d_k = *std::max_element(run.widths.begin(), run.widths.end());
    if (command->count("--tokens") > 0) {
        run.settings.tokens = words("tokens", tokens);
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
        throw_problem(*problem);
    }
    return run;
}

} // namespace attention
