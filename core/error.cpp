#include "error.hpp"

#include <array>
#include <cstdlib>
#include <limits>
#include <new>

namespace attention {
namespace {

/// std::to_string would do, but its tables and its steps weigh half a kilobyte in a page.
void append_number(std::string& text, long long number) {
    std::array<char, 20> digits{}; // of 2^63 and a sign
    std::size_t first = digits.size();
    auto rest = static_cast<unsigned long long>(number);
    rest = number < 0 ? 0 - rest : rest;
    do {
        digits[--first] = static_cast<char>('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (number < 0) {
        digits[--first] = '-';
    }
    text.append(digits.data() + first, digits.size() - first);
}

std::string text_of(std::initializer_list<Part> parts) {
    std::string text;
    for (Part const& part : parts) {
        switch (part.kind) {
        case Part::Kind::text:
            text += part.text;
            break;
        case Part::Kind::number:
            append_number(text, part.first);
            break;
        case Part::Kind::pair:
            text += "(";
            append_number(text, part.first);
            text += ", ";
            append_number(text, part.second);
            text += ")";
            break;
        case Part::Kind::list:
            text += "(";
            for (std::size_t index = 0; index < part.list_size; ++index) {
                text += index == 0 ? "" : ", ";
                append_number(text, static_cast<long long>(part.list[index]));
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

void raise_no_memory() {
#ifdef __cpp_exceptions
    throw std::bad_alloc();
#else
    static_cast<void>(::operator new(std::numeric_limits<std::size_t>::max()));
    std::abort();
#endif
}

} // namespace attention
