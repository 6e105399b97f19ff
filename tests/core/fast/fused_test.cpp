#include "fused.hpp"

#include "attention.hpp"
#include "fused_tiles.hpp"
#include "random.hpp"
#include "testing.hpp"

#include <cstdint>
#include <type_traits>

using namespace attention;
using namespace testing;

namespace {

/// A call as the readable path takes it, from which the fast path's views are made.
template <class T> struct Call {
    Matrix<T> query;
    Matrix<T> key;
    Matrix<T> value;
    AttentionOptions<T> options;
};

template <class T> Call<T> make_call(std::size_t n_query, std::size_t n_key, std::size_t d_k, std::size_t d_v) {
    return {scattered<T>(n_query, d_k, 31), scattered<T>(n_key, d_k, 32), scattered<T>(n_key, d_v, 33), {}};
}

template <class T> StridedMatrix<T const> view_of(Matrix<T> const& matrix) {
    return {matrix.data(), matrix.shape(0), matrix.shape(1), static_cast<std::ptrdiff_t>(matrix.shape(1))};
}

/// An axis of length 1 is repeated.
template <class M> StridedMask<M> mask_view_of(Matrix<M> const& mask) {
    return {mask.data(), mask.shape(0) == 1 ? 0 : static_cast<std::ptrdiff_t>(mask.shape(1)),
            mask.shape(1) == 1 ? 0 : 1};
}

template <class T> FusedOptions<T> fused_options(AttentionOptions<T> const& options) {
    FusedOptions<T> fused = {options, options.rule, {}};
    if (auto const* allowed = std::get_if<Visibility>(&options.mask)) {
        fused.mask = mask_view_of(*allowed);
    } else if (auto const* added = std::get_if<Matrix<T>>(&options.mask)) {
        fused.mask = mask_view_of(*added);
    }
    return fused;
}

/// The fast path's output for a call, or the problem that it finds.
template <class T> struct Outcome {
    Matrix<T> output;
    std::string problem;
};

template <class T> Outcome<T> attend_fast(Call<T> const& call) {
    // NaN beforehand, so that an entry that is not written is seen.
    Matrix<T> output = make_matrix<T>(call.query.shape(0), call.value.shape(1), std::numeric_limits<T>::quiet_NaN());
    FusedWorkspace<T> workspace;
    Problem const problem = fused_attention<T>(
        view_of(call.query), view_of(call.key), view_of(call.value), fused_options(call.options),
        {output.data(), output.shape(0), output.shape(1), static_cast<std::ptrdiff_t>(output.shape(1))}, workspace);
    return {output, sentence_of(problem)};
}

/// The same call in float64, for the reference: every float32 is a float64.
Call<double> widened(Call<float> const& call) {
    Call<double> wide{Matrix<double>(call.query), Matrix<double>(call.key), Matrix<double>(call.value), {}};
    wide.options.scale = static_cast<double>(scale_of(call.options, call.query.shape(1)));
    wide.options.softcap = static_cast<double>(call.options.softcap);
    wide.options.rule = call.options.rule;
    if (auto const* allowed = std::get_if<Visibility>(&call.options.mask)) {
        wide.options.mask = *allowed;
    } else if (auto const* added = std::get_if<Matrix<float>>(&call.options.mask)) {
        wide.options.mask = Matrix<double>(*added);
    }
    return wide;
}

Call<double> const& widened(Call<double> const& call) {
    return call;
}

template <class T> constexpr double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-13;

/// How far the fast path is from the readable path in float64, relative to each row's largest entry; infinite where it
/// finds a problem.
template <class T> double error_of(Call<T> const& call) {
    Outcome<T> const outcome = attend_fast(call);
    Call<double> const& wide = widened(call);
    Matrix<double> const expected = scaled_dot_product_attention(wide.query, wide.key, wide.value, wide.options).output;
    return outcome.problem.empty() ? largest_error_by_row(outcome.output, expected) : infinity;
}

/// Runs a test for every instruction set that this machine has tiles for.
template <class Test> void with_each_instruction_set(Test const& test) {
    for (FusedInstructionSet const& set : supported_instruction_sets()) {
        INFO("instruction set " << set.name);
        use_instruction_set(set);
        test();
    }
    use_instruction_set(supported_instruction_sets().front());
}

/// A whole number from 0 to limit - 1.
std::size_t draw_below(RandomStream& stream, std::size_t limit) {
    return static_cast<std::size_t>(stream.next_uniform() * static_cast<double>(limit));
}

bool toss(RandomStream& stream) {
    return stream.next_uniform() < 0.5;
}

} // namespace

TEMPLATE_TEST_CASE("the fast path agrees with the readable path around the edges of its tiles", "", float, double) {
    with_each_instruction_set([] {
        double worst = 0;
        for (std::size_t const n_query : std::vector<std::size_t>{1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 70}) {
            for (std::size_t const n_key : std::vector<std::size_t>{1, 3, 4, 5, 6, 7, 13, 64, 191, 192, 193, 197}) {
                std::size_t const d_k = 1 + (n_query * 5 + n_key) % 70;
                std::size_t const d_v = 4 + (n_query + n_key * 3) % 67;
                Call<TestType> call = make_call<TestType>(n_query, n_key, d_k, d_v);
                worst = std::max(worst, error_of(call));
                call.options.rule.is_causal = true;
                worst = std::max(worst, error_of(call));
            }
        }
        CHECK(worst <= tolerance<TestType>);
    });
}

TEST_CASE("the fast path's outputs can be checked by hand") {
    // Scores 0, ln 2, ln 5 for query 0 and 0, -ln 2, 0 for query 1: weights 1/8, 2/8, 5/8 and 2/5, 1/5, 2/5.
    double const two = std::log(2.0);
    double const five = std::log(5.0);
    Call<double> call{{{1, 0}, {0, 1}}, {{0, 0}, {two, -two}, {five, 0}}, {{8, 0, 16}, {0, 8, 16}, {8, 8, 16}}, {}};
    call.options.scale = 1;
    require_close(attend_fast(call).output, Matrix<double>{{6, 7, 16}, {6.4, 4.8, 16}}, 0, 1e-15);
}

TEMPLATE_TEST_CASE("thousands of random calls agree with the readable path", "", float, double) {
    with_each_instruction_set([] {
        RandomStream stream(41);
        double worst = 0;
        for (int round = 0; round < 1500; ++round) {
            // Mostly small, so that all of the edges are met; some long enough for several blocks of keys.
            std::size_t const n_query = 1 + draw_below(stream, 40);
            std::size_t const n_key = 1 + draw_below(stream, round % 25 == 0 ? 450 : 30);
            std::size_t const d_k = 1 + draw_below(stream, 24);
            std::size_t const d_v = 4 + draw_below(stream, 24); // enough that a row does not cancel to nothing
            auto const seed = static_cast<std::uint32_t>(4 * round);
            Call<TestType> call{scattered<TestType>(n_query, d_k, seed),
                                scattered<TestType>(n_key, d_k, seed + 1),
                                scattered<TestType>(n_key, d_v, seed + 2),
                                {}};
            AttentionOptions<TestType>& options = call.options;
            if (toss(stream)) {
                options.scale = static_cast<TestType>(4 * stream.next_uniform() - 2);
            }
            if (draw_below(stream, 4) == 0) {
                options.softcap = static_cast<TestType>(0.1 + 30 * stream.next_uniform());
            }
            options.rule.is_causal = toss(stream);
            options.rule.query_offset = static_cast<std::ptrdiff_t>(draw_below(stream, 61)) - 30;
            if (toss(stream)) {
                options.rule.left_window = static_cast<std::ptrdiff_t>(draw_below(stream, 20));
            }
            if (toss(stream)) {
                options.rule.right_window = static_cast<std::ptrdiff_t>(draw_below(stream, 20));
            }
            if (toss(stream)) {
                options.rule.key_length = draw_below(stream, n_key + 1);
            }
            std::size_t const mask_rows = toss(stream) ? n_query : 1;
            std::size_t const mask_columns = toss(stream) ? n_key : 1;
            std::size_t const kind = draw_below(stream, 3);
            if (kind == 1) {
                Visibility allowed = make_matrix<std::uint8_t>(mask_rows, mask_columns);
                for (std::uint8_t& entry : allowed) {
                    entry = toss(stream) ? 1 : 0;
                }
                options.mask = allowed;
            } else if (kind == 2) {
                Matrix<TestType> added = scattered<TestType>(mask_rows, mask_columns, seed + 3);
                for (TestType& entry : added) {
                    entry = draw_below(stream, 4) == 0 ? -std::numeric_limits<TestType>::infinity() : entry;
                }
                options.mask = added;
            }
            double const error = error_of(call);
            CAPTURE(round, n_query, n_key, d_k, d_v, error);
            worst = std::max(worst, error);
            if (error > tolerance<TestType>) {
                FAIL("the paths disagree");
            }
        }
        CHECK(worst > 0);
    });
}

TEST_CASE("heads that lie side by side in wider rows are read and written in place") {
    with_each_instruction_set([] {
        std::size_t const heads = 3;
        std::size_t const d_k = 5;
        std::size_t const d_v = 7;
        Matrix<float> const queries = scattered<float>(19, heads * d_k, 51);
        Matrix<float> const keys = scattered<float>(23, heads * d_k, 52);
        Matrix<float> const values = scattered<float>(23, heads * d_v, 53);
        Matrix<float> outputs = make_matrix<float>(19, heads * d_v);
        FusedWorkspace<float> workspace;
        for (std::size_t head = 0; head < heads; ++head) {
            FusedOptions<float> options;
            Problem const problem = fused_attention<float>(
                {queries.data() + head * d_k, 19, d_k, heads * d_k}, {keys.data() + head * d_k, 23, d_k, heads * d_k},
                {values.data() + head * d_v, 23, d_v, heads * d_v}, options,
                {outputs.data() + head * d_v, 19, d_v, heads * d_v}, workspace);
            CHECK(sentence_of(problem) == "");
        }
        for (std::size_t head = 0; head < heads; ++head) {
            auto const part = [&](Matrix<float> const& matrix, std::size_t columns) {
                Matrix<float> result = make_matrix<float>(matrix.shape(0), columns);
                for (std::size_t i = 0; i < matrix.shape(0); ++i) {
                    std::copy_n(row_of(matrix, i) + head * columns, columns, row_of(result, i));
                }
                return result;
            };
            Matrix<float> const expected =
                scaled_dot_product_attention(part(queries, d_k), part(keys, d_k), part(values, d_v)).output;
            CHECK(largest_error_by_row(part(outputs, d_v), Matrix<double>(expected)) <= 1e-5);
        }
    });
}

TEST_CASE("the tiles do ordinary calls themselves, whatever the mask, without falling back to the readable path") {
    std::size_t const n = 300; // several blocks of keys, and loops long enough for whatever the compiler makes of them
    Matrix<float> const query = scattered<float>(n, 5, 71);
    Matrix<float> const key = scattered<float>(n, 5, 72);
    Matrix<float> const value = scattered<float>(n, 6, 73);
    Matrix<float> const added = scattered<float>(n, n, 74);
    Visibility allowed = make_matrix<std::uint8_t>(n, n);
    std::transform(added.begin(), added.end(), allowed.begin(), [](float entry) { return entry > 0 ? 1 : 0; });
    Matrix<float> output = make_matrix<float>(n, 6);
    for (FusedInstructionSet const& set : supported_instruction_sets()) {
        std::vector<float> scratch(set.float32.scratch_size(5, 6));
        HeadCall<float> const head{view_of(query), view_of(key), view_of(value), {}};
        FusedCall<float> call{head, {output.data(), n, 6, 6}, 1, {-300, 300, 300}};
        INFO("instruction set " << set.name);
        CHECK(set.float32.attend(call, {0, call.head.query.rows}, scratch.data()));
        call.allowed = mask_view_of(allowed);
        CHECK(set.float32.attend(call, {0, call.head.query.rows}, scratch.data()));
        call.allowed = {};
        call.added = mask_view_of(added);
        CHECK(set.float32.attend(call, {0, call.head.query.rows}, scratch.data()));
        call.band = {-40, 1, 300};
        CHECK(set.float32.attend(call, {0, call.head.query.rows}, scratch.data()));
    }
}

TEST_CASE("what the scratch memory held before has no part in the output") {
    Matrix<float> const query = scattered<float>(11, 5, 71);
    Matrix<float> const key = scattered<float>(210, 5, 72); // a block of keys and some
    Matrix<float> const value = scattered<float>(210, 6, 73);
    for (FusedInstructionSet const& set : supported_instruction_sets()) {
        INFO("instruction set " << set.name);
        for (Band const band : {Band{-300, 300, 210}, Band{-300, -4, 210}, Band{-300, 300, 0}}) {
            auto const attend_from = [&](float contents) {
                std::vector<float> scratch(set.float32.scratch_size(5, 6), contents);
                Matrix<float> output = make_matrix<float>(11, 6, std::numeric_limits<float>::quiet_NaN());
                HeadCall<float> const head{view_of(query), view_of(key), view_of(value), {}};
                FusedCall<float> const call{head, {output.data(), 11, 6, 6}, 1, band};
                CHECK(set.float32.attend(call, {0, call.head.query.rows}, scratch.data()));
                return output;
            };
            require_equal(attend_from(std::numeric_limits<float>::quiet_NaN()), attend_from(0));
        }
    }
}

TEST_CASE("a mask may be read down its columns") {
    Call<double> call = make_call<double>(9, 14, 3, 5);
    Matrix<double> const mask = scattered(9, 14, 61);
    Matrix<double> const turned = transposed(mask);
    FusedOptions<double> options;
    options.mask = StridedMask<double>{turned.data(), 1, 9};
    Matrix<double> output = make_matrix<double>(9, 5);
    FusedWorkspace<double> workspace;
    Problem const problem = fused_attention<double>(view_of(call.query), view_of(call.key), view_of(call.value),
                                                    options, {output.data(), 9, 5, 5}, workspace);
    CHECK(sentence_of(problem) == "");
    call.options.mask = mask;
    require_close(output, scaled_dot_product_attention(call.query, call.key, call.value, call.options).output, 1e-14);
}

TEST_CASE("a query that sees no key gets exact zeros, and its neighbours what they would get without it") {
    with_each_instruction_set([] {
        Call<float> call = make_call<float>(21, 11, 6, 9);
        call.options.rule.is_causal = true;
        call.options.rule.query_offset = -4; // the first four queries come before every key
        Outcome<float> const outcome = attend_fast(call);
        CHECK(error_of(call) <= 1e-5);
        for (std::size_t c = 0; c < 9; ++c) {
            CHECK(outcome.output(0, c) == 0.0F);
            CHECK(outcome.output(3, c) == 0.0F);
            CHECK(outcome.output(4, c) == Approx(call.value(0, c)).epsilon(1e-6)); // which sees key 0 alone
        }
        call.options.rule = {};
        call.options.rule.key_length = 0;
        require_equal(attend_fast(call).output, make_matrix<float>(21, 9));
        call.options.rule = {};
        call.options.mask = make_matrix<std::uint8_t>(1, 1);
        require_equal(attend_fast(call).output, make_matrix<float>(21, 9));
    });
}

TEST_CASE("scores of ten thousand either way leave a one-hot row, without overflow") {
    with_each_instruction_set([] {
        Call<float> call = make_call<float>(18, 200, 8, 5);
        for (float& entry : call.key) {
            entry *= 4000;
        }
        CHECK(error_of(call) <= 2e-3); // a score of 1e4 is rounded by 1e-3, in either path
        call.query = make_matrix<float>(2, 1, 1.0F);
        call.query(1, 0) = -1;
        call.key = {{-1e4F}, {1e4F}, {0}};
        call.value = {{1, 2}, {3, 4}, {5, 6}};
        require_equal(attend_fast(call).output, Matrix<float>{{3, 4}, {1, 2}});
    });
}

TEST_CASE("a weight below 2^-60 of the largest counts as zero, and one above it does not") {
    with_each_instruction_set([] {
        Call<double> call{{{1}}, {{0}, {-41.0}, {-41.6}}, {{0, 0}, {1, 0}, {0, 1}}, {}};
        call.options.scale = 1;
        Outcome<double> const outcome = attend_fast(call);
        CHECK(outcome.output(0, 0) == Approx(std::exp(-41.0)).epsilon(1e-13));
        CHECK(outcome.output(0, 1) == 0);
    });
}

TEST_CASE("what nobody sees may be NaN or infinite") {
    with_each_instruction_set([] {
        Call<float> const clean = make_call<float>(10, 20, 7, 9);
        auto const poisoned = [&](std::size_t first_key) {
            Call<float> call = clean;
            for (std::size_t j = first_key; j < 20; ++j) {
                call.key(j, j % 7) = static_cast<float>(j % 2 == 0 ? not_a_number : infinity);
                call.value(j, j % 9) = static_cast<float>(j % 3 == 0 ? not_a_number : -infinity);
            }
            return call;
        };
        auto const require_same = [&](AttentionOptions<float> const& options, std::size_t first_key) {
            Call<float> plain = clean;
            plain.options = options;
            Call<float> call = poisoned(first_key);
            call.options = options;
            Outcome<float> const outcome = attend_fast(call);
            CHECK(outcome.problem == "");
            require_close(outcome.output, attend_fast(plain).output, 1e-6);
        };
        AttentionOptions<float> options;
        options.rule.key_length = 13;
        require_same(options, 13);
        options.rule = {};
        options.rule.is_causal = true;
        require_same(options, 10);
        options.rule = {};
        Visibility allowed = make_matrix<std::uint8_t>(1, 20, 1);
        std::fill(allowed.begin() + 13, allowed.end(), std::uint8_t(0));
        options.mask = allowed;
        require_same(options, 13);
        Matrix<float> added = make_matrix<float>(1, 20);
        std::fill(added.begin() + 13, added.end(), -1e9F);
        options.mask = added;
        require_same(options, 13);

        Call<float> blind = clean;
        blind.options.rule.is_causal = true;
        blind.options.rule.query_offset = -2;
        Outcome<float> const expected = attend_fast(blind);
        blind.query(1, 3) = static_cast<float>(not_a_number); // which sees no key
        Outcome<float> const outcome = attend_fast(blind);
        CHECK(outcome.problem == "");
        require_equal(outcome.output, expected.output);
    });
}

TEST_CASE("what a query sees must be finite, and the sentence is the readable path's") {
    with_each_instruction_set([] {
        auto const require_sentence = [](Call<float> const& call, std::string const& sentence) {
            CHECK(attend_fast(call).problem == sentence);
            CHECK(thrown_by([&] { scaled_dot_product_attention(call.query, call.key, call.value, call.options); }) ==
                  sentence);
        };
        Call<float> const clean = make_call<float>(10, 20, 7, 9);
        Call<float> call = clean;
        call.query(9, 6) = static_cast<float>(not_a_number);
        require_sentence(call, "query is NaN at (9, 6), but what a query sees must be finite");
        call = clean;
        call.key(19, 0) = static_cast<float>(-infinity);
        require_sentence(call, "key is -infinity at (19, 0), but what a query sees must be finite");
        call = clean;
        call.value(3, 8) = static_cast<float>(infinity);
        require_sentence(call, "value is infinity at (3, 8), but what a query sees must be finite");
        // Hidden from every query but one.
        call.options.mask = make_matrix<std::uint8_t>(10, 20, 1);
        for (std::size_t i = 0; i < 9; ++i) {
            std::get<Visibility>(call.options.mask)(i, 3) = 0;
        }
        require_sentence(call, "value is infinity at (3, 8), but what a query sees must be finite");
        call = clean;
        call.options.mask = make_matrix<float>(10, 20);
        std::get<Matrix<float>>(call.options.mask)(7, 13) = static_cast<float>(not_a_number);
        require_sentence(call, "mask is NaN for query 7, key 13, but must be finite, or -infinity to hide");
        std::get<Matrix<float>>(call.options.mask)(7, 13) = static_cast<float>(infinity);
        require_sentence(call, "mask is infinity for query 7, key 13, but must be finite, or -infinity to hide");
    });
}

TEMPLATE_TEST_CASE("every kind of bits is refused as the readable path refuses it, or computed as it computes it", "",
                   float, double) {
    using Bits = std::conditional_t<std::is_same_v<TestType, float>, std::uint32_t, std::uint64_t>;
    constexpr int fraction = std::numeric_limits<TestType>::digits - 1;
    constexpr Bits one = 1;
    constexpr Bits sign = one << (8 * sizeof(Bits) - 1);
    constexpr Bits infinite = static_cast<Bits>(~sign >> fraction) << fraction; // exponent all ones, fraction 0
    constexpr Bits quiet = one << (fraction - 1);
    std::vector<Bits> patterns = {infinite, infinite | one, infinite | quiet, infinite | quiet | one, ~sign};
    for (int bit = 0; bit < fraction; ++bit) {
        patterns.push_back(infinite | (one << bit)); // NaN with one bit of payload
        patterns.push_back(one << bit);              // a denormal number
    }
    patterns.push_back(infinite | quiet | Bits(1954)); // R's missing value
    patterns.push_back((one << fraction) - 1);         // the largest denormal number
    std::size_t const plain = patterns.size();
    for (std::size_t index = 0; index < plain; ++index) {
        patterns.push_back(patterns[index] | sign);
    }
    Call<TestType> const clean = make_call<TestType>(5, 7, 3, 4);
    std::size_t refused = 0;
    with_each_instruction_set([&] {
        for (Bits const bits : patterns) {
            TestType number = 0;
            std::memcpy(&number, &bits, sizeof number);
            for (std::size_t place = 0; place < 4; ++place) {
                CAPTURE(bits, place);
                Call<TestType> call = clean;
                Matrix<TestType> added = make_matrix<TestType>(5, 7);
                Matrix<TestType>& tensor = place == 0   ? call.query
                                           : place == 1 ? call.key
                                           : place == 2 ? call.value
                                                        : added;
                std::memcpy(&tensor(3, 2), &bits, sizeof number); // as a number it might turn quiet
                call.options.mask = added;
                std::string const sentence =
                    thrown_by([&] { scaled_dot_product_attention(call.query, call.key, call.value, call.options); });
                bool const hides = place == 3 && number == -std::numeric_limits<TestType>::infinity();
                REQUIRE(sentence.empty() == (std::isfinite(number) || hides));
                Outcome<TestType> const outcome = attend_fast(call);
                REQUIRE(outcome.problem == sentence);
                if (sentence.empty()) {
                    REQUIRE(error_of(call) <= tolerance<TestType>);
                }
                refused += sentence.empty() ? 0 : 1;
            }
        }
    });
    CHECK(refused > 0);
}

TEST_CASE("a visible score that overflows is named, and a hidden one does no harm") {
    with_each_instruction_set([] {
        Call<float> call = make_call<float>(10, 20, 7, 9);
        call.options.scale = 1.0F;
        for (std::size_t c = 0; c < 7; ++c) {
            call.query(4, c) = 1e25F;
            call.key(11, c) = -1e25F;
        }
        std::string const sentence = "scores overflow to -infinity at (4, 11), but a visible score must be finite";
        CHECK(attend_fast(call).problem == sentence);
        call.options.softcap = 20; // which would hide the overflow
        CHECK(attend_fast(call).problem == sentence);
        call.options.mask = make_matrix<std::uint8_t>(10, 20, 1);
        std::get<Visibility>(call.options.mask)(4, 11) = 0;
        CHECK(error_of(call) <= 1e-5);
        call = make_call<float>(10, 20, 7, 9);
        call.options.mask = make_matrix<float>(1, 20);
        std::get<Matrix<float>>(call.options.mask)(0, 6) = 3e38F; // far from overflow, and the row becomes one-hot
        CHECK(error_of(call) <= 1e-5);
        call.query(2, 0) = 1e20F;
        call.key(6, 0) = 3e18F;
        CHECK(attend_fast(call).problem == "scores overflow to infinity at (2, 6), but a visible score must be finite");
    });
}

TEST_CASE("values near the end of the range do not overflow on the way to their mean") {
    with_each_instruction_set([] {
        Call<float> call{make_matrix<float>(3, 2), make_matrix<float>(50, 2), make_matrix<float>(50, 4, 3e38F), {}};
        require_close(attend_fast(call).output, make_matrix<float>(3, 4, 3e38F), 0, 1e-5);
    });
}

TEST_CASE("a sum of values that rounding alone takes past the largest number has its mean all the same") {
    with_each_instruction_set([] {
        // n values of max / n: their sum fits, but each rounded step of it may be a little too large.
        for (std::size_t const n_key : std::initializer_list<std::size_t>{10, 18, 20, 22, 24, 25, 26, 29}) {
            float const largest = std::numeric_limits<float>::max();
            float const value =
                std::nextafter(static_cast<float>(static_cast<double>(largest) / static_cast<double>(n_key)), 0.0F);
            REQUIRE(static_cast<double>(value) * static_cast<double>(n_key) <= static_cast<double>(largest));
            Call<float> call{
                make_matrix<float>(3, 2), make_matrix<float>(n_key, 2), make_matrix<float>(n_key, 4, value), {}};
            require_close(attend_fast(call).output, make_matrix<float>(3, 4, value), 0, 1e-5);
        }
    });
}

TEST_CASE("arguments that do not belong together are named") {
    Call<float> const call = make_call<float>(3, 4, 5, 2);
    auto const problem_of = [](Call<float> const& wrong) { return attend_fast(wrong).problem; };
    Call<float> wrong = call;
    wrong.key = make_matrix<float>(4, 6);
    CHECK(problem_of(wrong) == "key has shape (4, 6), but query has d_k = 5");
    wrong = call;
    wrong.value = make_matrix<float>(7, 2);
    CHECK(problem_of(wrong) == "value has shape (7, 2), but key has 4 rows");
    wrong = call;
    wrong.options.softcap = -1;
    CHECK(problem_of(wrong) == "softcap is negative, but must be 0 (off) or positive");
    wrong = call;
    wrong.options.rule.key_length = 5;
    CHECK(problem_of(wrong) == "key_length is 5, but there are 4 keys");
    Matrix<float> output = make_matrix<float>(3, 5);
    FusedWorkspace<float> workspace;
    Problem const problem = fused_attention<float>(view_of(call.query), view_of(call.key), view_of(call.value), {},
                                                   {output.data(), 3, 5, 5}, workspace);
    CHECK(sentence_of(problem) == "output has shape (3, 5), but (n_query, d_v) = (3, 2)");
}

TEST_CASE("windows as wide as numbers go are no limit") {
    Call<double> call = make_call<double>(12, 30, 4, 3);
    Outcome<double> const everything = attend_fast(call);
    call.options.rule.left_window = std::numeric_limits<std::ptrdiff_t>::max();
    call.options.rule.right_window = std::numeric_limits<std::ptrdiff_t>::max();
    require_equal(attend_fast(call).output, everything.output);
    for (std::ptrdiff_t const offset : {farthest_offset, -farthest_offset}) {
        call.options.rule.query_offset = offset;
        CHECK(error_of(call) <= 1e-13);
        call.options.rule.is_causal = true;
        CHECK(error_of(call) <= 1e-13);
    }
}
