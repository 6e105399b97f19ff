// The one exception of the core: a sentence that names an argument, what was found and what was expected.
#pragma once

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace attention {

/// What is wrong with an argument. A plain value: the page's build knows of no exceptions.
struct ArgumentProblem {
    std::string argument;
    std::string found;
    std::string expected;

    /// "<argument> <found>, but <expected>", for instance "key has shape (6, 32), but query has d_k = 64".
    std::string sentence() const;
};

/// Thrown when an argument cannot be used; `what()` is the problem's sentence.
class ArgumentError : public std::invalid_argument {
  public:
    explicit ArgumentError(ArgumentProblem const& problem) : std::invalid_argument(problem.sentence()) {}
};

/// One part of a sentence: a text, a number, or a shape or place such as (rows, columns). A plain value, so that a
/// check builds no string, and no code to free one, unless it fails.
struct MessagePart {
    MessagePart(char const* plain) : text(plain) {}        // NOLINT(google-explicit-constructor)
    MessagePart(std::string_view plain) : text(plain) {}   // NOLINT(google-explicit-constructor)
    MessagePart(std::string const& plain) : text(plain) {} // NOLINT(google-explicit-constructor)
    MessagePart(std::size_t rows, std::size_t columns)
        : first(static_cast<long long>(rows)), second(static_cast<long long>(columns)), kind(Kind::pair) {}
    template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
    MessagePart(Number number) : kind(Kind::number) { // NOLINT(google-explicit-constructor)
        if constexpr (std::is_floating_point_v<Number>) {
            kind = Kind::text;
            text = std::isnan(number)      ? "NaN"
                   : std::isfinite(number) ? "a number"
                   : number > 0            ? "infinity"
                                           : "-infinity";
        } else {
            first = static_cast<long long>(number);
        }
    }

    /// A shape or place of any rank. The numbers are read when the sentence is made.
    static MessagePart of(std::size_t const* numbers, std::size_t count) {
        MessagePart part("");
        part.kind = Kind::list;
        part.list = numbers;
        part.list_size = count;
        return part;
    }

    enum class Kind { text, number, pair, list };
    std::string_view text;
    std::size_t const* list = nullptr;
    std::size_t list_size = 0;
    long long first = 0;
    long long second = 0;
    Kind kind = Kind::text;
};

/// What is wrong with a call, or nothing. Public functions throw it; those that a page calls can be asked beforehand
/// (`find_problem`), because the page's build has no exceptions: they would cost it a tenth of its size.
using Problem = std::optional<ArgumentProblem>;

/// The problem that the parts describe.
ArgumentProblem describe_problem(std::string_view argument, std::initializer_list<MessagePart> found,
                                 std::initializer_list<MessagePart> expected);

/// The same, but no problem where `holds`.
inline Problem problem_unless(bool holds, std::string_view argument, std::initializer_list<MessagePart> found,
                              std::initializer_list<MessagePart> expected) {
    return holds ? Problem() : describe_problem(argument, found, expected);
}

/// Throws the problem as an ArgumentError; in the page's build, where nothing that is called has a problem left, it
/// stops the program.
[[noreturn]] void throw_problem(ArgumentProblem const& problem);

/// Throws std::bad_alloc; in the page's build it asks for more memory than there can be, which ends the call.
[[noreturn]] void throw_no_memory();

/// Throws the problem that `look` finds. In the page's build it does not look again: whoever calls has looked.
///
/// @throws ArgumentError  if there is a problem
template <class Look> void throw_if_problem(Look look) {
#ifdef __cpp_exceptions
    if (Problem const problem = look()) {
        throw_problem(*problem);
    }
#else
    static_cast<void>(look);
#endif
}

/// Keeps the first of many requirements that does not hold.
class Requirements {
  public:
    void require(bool holds, std::string_view argument, std::initializer_list<MessagePart> found,
                 std::initializer_list<MessagePart> expected) {
        if (!holds && !first_) {
            first_ = describe_problem(argument, found, expected);
        }
    }

    /// That a whole number is from `least` to `most`.
    void require_between(std::size_t least, std::size_t most, std::string_view argument, std::size_t value) {
        require(value >= least && value <= most, argument, {"is ", value},
                {"must be a whole number from ", least, " to ", most});
    }

    bool hold() const noexcept { return !first_; }
    Problem const& first_problem() const noexcept { return first_; }

  private:
    Problem first_;
};

} // namespace attention
