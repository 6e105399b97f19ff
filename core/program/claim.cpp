#include "claim.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <regex>
#include <sstream>

#include "error.hpp"

namespace attention {
namespace {

/// A number as people write it, or infinity or NaN as the report does; nothing for any other text, such as 0x10.
std::optional<double> number_from(std::string const& text) {
    static std::regex const form(R"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)");
    static std::regex const not_finite(R"([+-]?(?:inf|infinity)|nan)", std::regex::icase);
    bool const is_finite = std::regex_match(text, form);
    if (!is_finite && !std::regex_match(text, not_finite)) {
        return std::nullopt;
    }
    double const number = std::strtod(text.c_str(), nullptr);
    // A finite text beyond the numbers that there are, such as 1e999, is none.
    return is_finite && !std::isfinite(number) ? std::nullopt : std::optional<double>(number);
}

/// What the entries of a figure that holds words can be; nothing where it holds numbers.
std::optional<std::vector<std::string>> words_of(std::string const& figure) {
    if (figure == "state") {
        return std::vector<std::string>{
#define SOFTMAX_STATE(state, words) words,
#include "states.def"
        };
    }
    if (figure == "gradient") {
        return std::vector<std::string>{
#define GRADIENT_STATE(state, words) words,
#include "states.def"
        };
    }
    return std::nullopt;
}

std::string joined(std::vector<std::string> const& words) {
    std::string text;
    for (std::string const& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

/// The last part of a figure's name.
std::string last_part(std::string const& name) {
    return name.substr(name.rfind('.') + 1); // all of it where there is no dot
}

template <class Value> bool compare(Value const& found, std::string const& comparison, Value const& expected) {
    return comparison == ">="   ? found >= expected
           : comparison == "<=" ? found <= expected
           : comparison == ">"  ? found > expected
           : comparison == "<"  ? found < expected
           : comparison == "==" ? found == expected
                                : found != expected;
}

/// What stands in the report under a name, part by part; nothing if there is no such.
nlohmann::json const* find(nlohmann::json const& report, std::string const& name) {
    nlohmann::json const* value = &report;
    std::istringstream parts(name);
    for (std::string part; std::getline(parts, part, '.');) {
        if (!value->is_object() || !value->contains(part)) {
            return nullptr;
        }
        value = &value->at(part);
    }
    return value;
}

} // namespace

Claim parse_claim(std::string const& text) {
    static std::regex const form(R"(\s*([A-Za-z]+(?:\.[A-Za-z]+)*)((?:\[\d+\])*)\s*(>=|<=|==|!=|>|<)\s*(.*?)\s*)");
    std::smatch parts;
    if (!std::regex_match(text, parts, form) || parts[4].length() == 0) {
        throw_problem(
            {"--expect", "is '" + text + "'", "must read like 'peak[1] >= 0.99': a name, a comparison and a value"});
    }
    Claim claim{text, parts[1], {}, parts[3], parts[4]};
    std::string const indices = parts[2];
    static std::regex const number(R"(\d+)");
    for (std::sregex_iterator each(indices.begin(), indices.end(), number), end; each != end; ++each) {
        claim.indices.push_back(std::strtoul(each->str().c_str(), nullptr, 10));
    }
    return claim;
}

Verdict check(Claim const& claim, nlohmann::json const& report) {
    nlohmann::json const* value = find(report, claim.name);
    if (value == nullptr && report.contains("metrics")) {
        value = find(report.at("metrics"), claim.name);
    }
    if (value == nullptr) {
        throw_problem({"--expect", "names '" + claim.name + "'", "there is no such number (see --json)"});
    }
    for (std::size_t const index : claim.indices) {
        if (!value->is_array() || index >= value->size()) {
            throw_problem({"--expect", "asks in '" + claim.text + "' for index " + std::to_string(index),
                           value->is_array() ? "there are " + std::to_string(value->size()) : "that is one value"});
        }
        value = &(*value)[index];
    }
    if (value->is_array() || value->is_object()) {
        throw_problem({"--expect", "names '" + claim.name + "' as a whole", "must name one number in it"});
    }
    std::string const figure = last_part(claim.name);
    std::optional<std::vector<std::string>> const words = words_of(figure);
    if (words || figure == "tokens") {
        if (claim.comparison != "==" && claim.comparison != "!=") {
            throw_problem({"--expect", "compares '" + claim.name + "' by " + claim.comparison,
                           "it is a text: only == and != do"});
        }
        if (words && std::find(words->begin(), words->end(), claim.expected) == words->end()) {
            throw_problem({"--expect", "compares '" + claim.name + "' with '" + claim.expected + "'",
                           "it can only be one of " + joined(*words)});
        }
        return {compare(value->get<std::string>(), claim.comparison, claim.expected), value->get<std::string>()};
    }
    std::optional<double> const expected = number_from(claim.expected);
    // JSON has no infinities and no NaN; the report writes them as texts.
    std::optional<double> const found = value->is_string()   ? number_from(value->get<std::string>())
                                        : value->is_number() ? std::optional<double>(value->get<double>())
                                                             : std::nullopt;
    if (!expected || !found) {
        throw_problem(
            {"--expect", "compares '" + claim.name + "' with '" + claim.expected + "'", "it is " + value->dump()});
    }
    return {compare(*found, claim.comparison, *expected), value->dump()};
}

} // namespace attention
