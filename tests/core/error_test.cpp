#include "error.hpp"

#include <limits>
#include <new>

#include "tensor.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

TEST_CASE("a problem's sentence is its argument, what was found and what was expected") {
    ArgumentProblem const problem =
        describe_problem("key", {"has shape ", MessagePart(6, 32)}, {"query has d_k = ", 64});
    CHECK(problem.argument == "key");
    CHECK(problem.found == "has shape (6, 32)");
    CHECK(problem.expected == "query has d_k = 64");
    CHECK(problem.sentence() == "key has shape (6, 32), but query has d_k = 64");
    CHECK(ArgumentError(problem).what() == problem.sentence());
}

TEST_CASE("a problem there is not has no sentence") {
    CHECK(sentence_of(problem_unless(true, "x", {"is ", 1}, {"must be ", 2})) == "");
    CHECK(sentence_of(problem_unless(false, "x", {"is ", 1}, {"must be ", 2})) == "x is 1, but must be 2");
}

TEST_CASE("a part of a sentence is a text, a whole number, a pair, or a shape of any rank") {
    auto const text_of = [](MessagePart const& part) { return describe_problem("x", {part}, {}).found; };
    CHECK(text_of("plain") == "plain");
    CHECK(text_of(std::string("of its own")) == "of its own");
    CHECK(text_of(std::string_view("of another").substr(3)) == "another");
    CHECK(text_of("") == "");
    CHECK(text_of(0) == "0");
    CHECK(text_of(-7) == "-7");
    CHECK(text_of(std::size_t(512)) == "512");
    CHECK(text_of(std::uint32_t(4294967295)) == "4294967295");
    CHECK(text_of(std::ptrdiff_t(-536870913)) == "-536870913");
    CHECK(text_of(MessagePart(0, 12)) == "(0, 12)");
    std::size_t const lengths[] = {2, 0, 64, 7};
    CHECK(text_of(MessagePart::of(lengths, 4)) == "(2, 0, 64, 7)");
    CHECK(text_of(MessagePart::of(lengths + 2, 1)) == "(64)");
    CHECK(text_of(MessagePart::of(lengths, 0)) == "()");
}

TEMPLATE_TEST_CASE("a number that may have digits after the point is told by its kind", "", float, double) {
    using T = TestType;
    T const no_limit = std::numeric_limits<T>::infinity();
    CHECK(describe_problem("x", {std::numeric_limits<T>::quiet_NaN()}, {}).found == "NaN");
    CHECK(describe_problem("x", {no_limit}, {}).found == "infinity");
    CHECK(describe_problem("x", {-no_limit}, {}).found == "-infinity");
    CHECK(describe_problem("x", {T(0.5)}, {}).found == "a number");
}

TEST_CASE("of many requirements the first that does not hold is kept") {
    Requirements requirements;
    CHECK(requirements.hold());
    CHECK(sentence_of(requirements.first_problem()) == "");
    requirements.require(true, "a", {"is right"}, {"must be wrong"});
    CHECK(requirements.hold());
    requirements.require(false, "b", {"is ", 1}, {"must be ", 2});
    requirements.require(false, "c", {"is ", 3}, {"must be ", 4});
    requirements.require(true, "d", {"is ", 5}, {"must be ", 5});
    CHECK_FALSE(requirements.hold());
    CHECK(sentence_of(requirements.first_problem()) == "b is 1, but must be 2");
}

TEST_CASE("a problem is thrown as it was found, and none is not thrown") {
    CHECK_NOTHROW(throw_if_problem([] { return Problem(); }));
    Problem const problem = describe_problem("row", {"is ", 6}, {"must be a whole number from ", 0, " to ", 5});
    CHECK(thrown_by([&] { throw_if_problem([&] { return problem; }); }) ==
          "row is 6, but must be a whole number from 0 to 5");
    CHECK_THROWS_AS(throw_if_problem([&] { return problem; }), std::invalid_argument);
}

TEST_CASE("a table of more bytes than a size can count throws std::bad_alloc, and none that wraps to a small one") {
    std::size_t const half = std::size_t(1) << (4 * sizeof(std::size_t)); // whose square wraps to 0
    CHECK_THROWS_AS(make_matrix<double>(half, half), std::bad_alloc);
    CHECK_THROWS_AS(make_matrix<float>(half + 1, half), std::bad_alloc);
    CHECK_THROWS_AS(make_matrix<double>(half, half / 8), std::bad_alloc); // of bytes alone
    CHECK_THROWS_AS(make_vector<double>(std::numeric_limits<std::size_t>::max() / 8 + 1), std::bad_alloc);
    CHECK(make_matrix<double>(half, 0).size() == 0);
}
