#include "error.hpp"

#include <cstdlib>
#include <utility>

namespace attention {
namespace {

std::string sentence(std::initializer_list<Part> parts) {
    std::string text;
    for (Part const& part : parts) {
        switch (part.kind) {
        case Part::Kind::text:
            text += part.text;
            break;
        case Part::Kind::number:
            text += std::to_string(part.first);
            break;
        case Part::Kind::pair:
            text += "(" + std::to_string(part.first) + ", " + std::to_string(part.second) + ")";
            break;
        }
    }
    return text;
}

} // namespace

ArgumentError::ArgumentError(std::string argument, std::string found, std::string expected)
    : std::invalid_argument(argument + " " + found + ", but " + expected), argument_(std::move(argument)),
      found_(std::move(found)), expected_(std::move(expected)) {}

ArgumentError describe_problem(std::string_view argument, std::initializer_list<Part> found,
                               std::initializer_list<Part> expected) {
    return {std::string(argument), sentence(found), sentence(expected)};
}

void raise(ArgumentError const& error) {
#ifdef __cpp_exceptions
    throw ArgumentError(error);
#else
    static_cast<void>(error);
    std::abort();
#endif
}

} // namespace attention
