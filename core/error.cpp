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

std::string text_of(std::initializer_list<MessagePart> parts) {
    std::string text;
    for (MessagePart const& part : parts) {
        switch (part.kind) {
        case MessagePart::Kind::text:
            text += part.text;
            break;
        case MessagePart::Kind::number:
            append_number(text, part.first);
            break;
        case MessagePart::Kind::pair:
            text += "(";
            append_number(text, part.first);
            text += ", ";
            append_number(text, part.second);
            text += ")";
            break;
        case MessagePart::Kind::list:
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

std::string ArgumentProblem::sentence() const {
    return argument + " " + found + ", but " + expected;
}

ArgumentProblem describe_problem(std::string_view argument, std::initializer_list<MessagePart> found,
                                 std::initializer_list<MessagePart> expected) {
    return {std::string(argument), text_of(found), text_of(expected)};
}

void throw_problem(ArgumentProblem const& problem) {
#ifdef __cpp_exceptions
    throw ArgumentError(problem);
#else
    static_cast<void>(problem);
    std::abort();
#endif
}

void throw_no_memory() {
#ifdef __cpp_exceptions
    throw std::bad_alloc();
#else
    static_cast<void>(::operator new(std::numeric_limits<std::size_t>::max()));
    std::abort();
#endif
}

} // namespace attention
