// The one exception of the core: a sentence that names an argument, what was found and what was expected.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>

namespace attention {

/// Thrown when an argument cannot be used. `what()` reads "<argument> <found>, but <expected>",
/// for instance "key has shape (6, 32), but query has d_k = 64".
class ArgumentError : public std::invalid_argument {
  public:
    ArgumentError(std::string argument, std::string found, std::string expected)
        : std::invalid_argument(argument + " " + found + ", but " + expected), argument_(std::move(argument)),
          found_(std::move(found)), expected_(std::move(expected)) {}

    std::string const& argument() const noexcept { return argument_; }
    std::string const& found() const noexcept { return found_; }
    std::string const& expected() const noexcept { return expected_; }

  private:
    std::string argument_;
    std::string found_;
    std::string expected_;
};

/// The text of a number that is not finite, for messages.
template <class T> std::string non_finite_text(T number) {
    return std::isnan(number) ? "NaN" : number > 0 ? "infinity" : "-infinity";
}

} // namespace attention
