// Any bytes as a claim of `--expect`: each is refused in one sentence, or says what a second reading of it says.
//
// libFuzzer calls this function, or run.cpp does.

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "calls.hpp"
#include "claim.hpp"

namespace {

using namespace fuzzing;

/// Parts of claims, right and wrong, between which bytes choose.
std::string draw_text(Bytes& bytes) {
    static std::vector<std::string> const parts = {"peak",
                                                   "spread",
                                                   "state",
                                                   "metrics",
                                                   ".",
                                                   "[",
                                                   "]",
                                                   "[1]",
                                                   "[0]",
                                                   "[3]",
                                                   "[18446744073709551616]",
                                                   " >= ",
                                                   " <= ",
                                                   " > ",
                                                   " < ",
                                                   " == ",
                                                   " != ",
                                                   "=",
                                                   "0.5",
                                                   "-3",
                                                   "1e3",
                                                   "nan",
                                                   "inf",
                                                   "-inf",
                                                   "peaked",
                                                   "diffuse",
                                                   " ",
                                                   "\t",
                                                   "0x1p3",
                                                   "1e999",
                                                   "saturated (one-hot)",
                                                   "[-1]",
                                                   "[1][2]"};
    std::string text;
    std::size_t const count = bytes.below(8);
    for (std::size_t part = 0; part < count; ++part) {
        if (bytes.seldom()) {
            text.push_back(static_cast<char>(bytes.next()));
        } else {
            text += parts[bytes.below(parts.size())];
        }
    }
    return text;
}

double draw_number(Bytes& bytes) {
    static constexpr std::array<double, 7> numbers = {0, -0.0, 0.5, -3, 1e3, 1e-300, 7.25};
    return bytes.one_of(numbers);
}

bool compare(double found, std::string const& comparison, double expected) {
    return comparison == ">="   ? found >= expected
           : comparison == "<=" ? found <= expected
           : comparison == ">"  ? found > expected
           : comparison == "<"  ? found < expected
           : comparison == "==" ? found == expected
                                : found != expected;
}

void check_any(std::string const& text, nlohmann::json const& report) {
    try {
        static_cast<void>(check(parse_claim(text), report));
    } catch (ArgumentError const& error) {
        if (std::string(error.what()).empty()) {
            fail("claim", text.c_str(), "is refused without a word");
        }
    }
}

/// A claim that is right, and whose answer is known.
void check_known(Bytes& bytes, std::vector<double> const& peaks, nlohmann::json const& report) {
    static constexpr std::array<char const*, 6> comparisons = {">=", "<=", ">", "<", "==", "!="};
    std::size_t const index = bytes.below(peaks.size());
    std::string const comparison = bytes.one_of(comparisons);
    double const expected = draw_number(bytes);
    std::array<char, 40> number{};
    std::snprintf(number.data(), number.size(), "%.17g", expected);
    std::string const space = bytes.toss() ? " " : "";
    std::string const text = "peak[" + std::to_string(index) + "]" + space + comparison + space + number.data();
    try {
        if (check(parse_claim(text), report).holds != compare(peaks[index], comparison, expected)) {
            fail("claim", text.c_str(), "is answered wrongly");
        }
    } catch (ArgumentError const& error) {
        fail("claim", text.c_str(), error.what());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    Bytes bytes(data, size);
    std::vector<double> peaks(1 + bytes.below(3));
    for (double& peak : peaks) {
        peak = draw_number(bytes);
    }
    nlohmann::json const report = {
        {"metrics", {{"peak", peaks}, {"spread", draw_number(bytes)}, {"state", {"peaked", "diffuse"}}}}};
    check_known(bytes, peaks, report);
    check_any(draw_text(bytes), report);
    check_any(std::string(reinterpret_cast<char const*>(data), size), report);
    return 0;
}
