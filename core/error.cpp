#include "error.hpp"

#include <cstdlib>

namespace attention {
namespace {

std::string text_of(std::initializer_list<Part> parts) {
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
        case Part::Kind::list:
            text += "(";
            for (std::size_t index = 0; index < part.list_size; ++index) {
                text += (index == 0 ? "" : ", ") + std::to_string(part.list[index]);
            }
            text += ")";
            break;
        }
    }
    return text;
}

} // namespace

std::string Explanation::sentence() const {
    return argument + " " + found + ", but " + expected;
}

Explanation describe_problem(std::string_view argument, std::initializer_list<Part> found,
                             std::initializer_list<Part> expected) {
    return {std::string(argument), text_of(found), text_of(expected)};
}

void raise(Explanation const& explanation) {
#ifdef __cpp_exceptions
    throw ArgumentError(explanation);
#else
    static_cast<void>(explanation);
    std::abort();
#endif
}

} // namespace attention
