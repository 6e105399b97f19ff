#include "claim.hpp"

#include <cstdlib>
#include <regex>
#include <sstream>

#include "error.hpp"

namespace attention {
namespace {

bool is_number(std::string const& text) {
    char* end = nullptr;
    std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0';
}

template <class Value> bool compare(Value const& found, std::string const& comparison, Value const& expected) {
    return comparison == ">="   ? found >= expected
           : comparison == "<=" ? found <= expected
           : comparison == ">"  ? found > expected
           : comparison == "<"  ? found < expected
           : comparison == "==" ? found == expected
                                : found != expected;
}

/// JSON has no infinities; the report writes them as texts.
double number_of(nlohmann::json const& value) {
    return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr) : value.get<double>();
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
        raise({"--expect", "is '" + text + "'", "must read like 'peak[1] >= 0.99': a name, a comparison and a value"});
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
        raise({"--expect", "names '" + claim.name + "'", "there is no such number (see --json)"});
    }
    for (std::size_t const index : claim.indices) {
        if (!value->is_array() || index >= value->size()) {
            raise({"--expect", "asks in '" + claim.text + "' for index " + std::to_string(index),
                   value->is_array() ? "there are " + std::to_string(value->size()) : "that is one value"});
        }
        value = &(*value)[index];
    }
    if (value->is_array() || value->is_object()) {
        raise({"--expect", "names '" + claim.name + "' as a whole", "must name one number in it"});
    }
    if (is_number(claim.expected) && !value->is_null()) {
        double const found = number_of(*value);
        return {compare(found, claim.comparison, std::strtod(claim.expected.c_str(), nullptr)), value->dump()};
    }
    if (value->is_string() && (claim.comparison == "==" || claim.comparison == "!=")) {
        return {compare(value->get<std::string>(), claim.comparison, claim.expected), value->get<std::string>()};
    }
    raise({"--expect", "compares '" + claim.name + "' with '" + claim.expected + "'", "it is " + value->dump()});
}

} // namespace attention
