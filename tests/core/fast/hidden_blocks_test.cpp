#include "decode_tiles.hpp"
#include "fused_tiles.hpp"

#ifndef __wasm__ // where hidden blocks are computed, and nothing is decoded

#include "heads.hpp"
#include "testing.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <vector>

using namespace attention;
using namespace testing;

TEST_CASE("a block of keys that nobody sees is not computed, whatever hides it") {
    // A NaN that were computed with would make the tiles refuse. Blocks are of 192 keys.
    std::size_t const n_key = 600;
    Matrix<float> key = scattered<float>(n_key, 5, 72);
    Matrix<float> const value = scattered<float>(n_key, 6, 73);
    for (std::size_t j = 192; j < 384; ++j) {
        key(j, 3) = std::numeric_limits<float>::quiet_NaN();
    }
    Visibility allowed = make_matrix<std::uint8_t>(1, n_key, 1);
    Matrix<float> added = make_matrix<float>(1, n_key, 0.5F);
    std::fill_n(&allowed(0, 192), 192, 0);
    std::fill_n(&added(0, 192), 192, -2e9F);
    for (FusedInstructionSet const& set : supported_instruction_sets()) {
        INFO("instruction set " << set.name);
        for (std::size_t const n_query : std::initializer_list<std::size_t>{1, 3, 37}) {
            Matrix<float> const query = scattered<float>(n_query, 5, 71);
            Matrix<float> output = make_matrix<float>(n_query, 6);
            HeadCall<float> const head{strided(query), strided(key), strided(value), {}};
            auto const is_computed = [&](Band const& band, bool is_boolean, bool is_additive) {
                FusedCall<float> call{head, {output.data(), n_query, 6, 6}, 1, band};
                std::vector<DecodedQuery<float>> queries;
                for (std::size_t i = 0; i < n_query; ++i) {
                    queries.push_back({query.data() + i * 5, keys_of(band, static_cast<std::ptrdiff_t>(i)),
                                       is_boolean ? allowed.data() : nullptr, is_additive ? added.data() : nullptr, 1});
                }
                if (is_boolean) {
                    call.allowed = {allowed.data(), 0, 1}; // for every query
                }
                if (is_additive) {
                    call.added = {added.data(), 0, 1};
                }
                std::vector<float> scratch(set.float32.scratch_size(5, 6));
                bool const in_panels = !set.float32.attend(call, {0, n_query}, scratch.data());
                std::vector<float> states(n_query * 8);
                scratch.resize(set.float32.decoding.scratch_size(5));
                DecodedQueries<float> const few{strided(key), strided(value), queries.data(), n_query, 1, 0};
                bool const one_by_one = !set.float32.decoding.attend(few, {0, 600}, states.data(), scratch.data());
                CHECK(in_panels == one_by_one);
                return in_panels;
            };
            CHECK(is_computed({-600, 600, 600}, false, false));
            CHECK_FALSE(is_computed({-600, 600, 600}, true, false));  // a boolean mask
            CHECK_FALSE(is_computed({-600, 600, 600}, false, true));  // an additive one
            CHECK_FALSE(is_computed({-600, 600, 192}, false, false)); // padding
            CHECK_FALSE(is_computed({-600, 100, 600}, false, false)); // keys that come later
            CHECK_FALSE(is_computed({384, 600, 600}, false, false));  // a window
        }
    }
}

#endif
