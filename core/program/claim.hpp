// A claim about a report's numbers, as a lesson's author writes it: "peak[1] >= 0.99", "state[1] == diffuse".
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace attention {

struct Claim {
    std::string text;                 // as written
    std::string name;                 // of a figure or stage in the report; its parts joined by dots
    std::vector<std::size_t> indices; // into it
    std::string comparison;           // one of >= <= > < == !=
    std::string expected;             // a number, or the name of a state
};

struct Verdict {
    bool holds;
    std::string found;
};

/// @throws ArgumentError  if the text is not "name[index] comparison value"
Claim parse_claim(std::string const& text);

/// Compares what the report holds with what the claim expects. NaN, found or expected, is unequal to everything and
/// neither above nor below: != holds, every other comparison fails.
///
/// @param report  as `report_of` gives it; names are looked up in it and in its "metrics"
/// @throws ArgumentError  if the report holds nothing of that name and index, or the two cannot be compared: a number
///                        with a word, the order of words, a state with a word that no state is called by
Verdict check(Claim const& claim, nlohmann::json const& report);

} // namespace attention
