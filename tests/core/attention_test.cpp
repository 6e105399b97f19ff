#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <fstream>
#include "attention.hpp"
TEST_CASE("one token attends to itself") {
    attention::Matrix<double> const query = {{0.7}}, key = {{-3}}, value = {{2, 5, -1}};
    auto const a = attention::scaled_dot_product_attention(query, key, value);
    CHECK(a.weights(0, 0) == 1);
    CHECK_THROWS_AS(attention::scaled_dot_product_attention(query, value, value), attention::ArgumentError);
    std::ifstream f(ATTENTION_REFERENCE_FOLDER "/x.json"); CHECK(!f);
}
