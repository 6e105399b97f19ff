#include "random.hpp"

#include <array>
#include <cstdlib>
#include <set>

#include "references.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

std::uint64_t word_from(nlohmann::json const& json) {
    return std::strtoull(json.get<std::string>().c_str(), nullptr, 16);
}

double exact_number_from(nlohmann::json const& json) {
    return std::strtod(json.get<std::string>().c_str(), nullptr);
}

nlohmann::json const& reference() {
    static nlohmann::json const section = read_reference("lesson_reference.json").at("random");
    return section;
}

} // namespace

TEST_CASE("a stream gives the published words of SplitMix64") {
    RandomStream stream(1234567);
    CHECK(stream.next_word() == 6457827717110365317u);
    CHECK(stream.next_word() == 3203168211198807973u);
    CHECK(stream.next_word() == 9817491932198370423u);
    CHECK(stream.next_word() == 4593380528125082431u);
    CHECK(stream.next_word() == 16408922859458223821u);
}

TEST_CASE("words, uniforms and normals agree bit for bit with a second implementation") {
    // The same file is compared natively and in WebAssembly, so the two agree bit for bit as well.
    for (nlohmann::json const& each : reference().at("words")) {
        RandomStream stream(word_from(each.at("seed")));
        for (nlohmann::json const& word : each.at("words")) {
            CHECK(stream.next_word() == word_from(word));
        }
    }
    for (nlohmann::json const& each : reference().at("uniforms")) {
        RandomStream stream(word_from(each.at("key")));
        for (nlohmann::json const& number : each.at("numbers")) {
            CHECK(stream.next_uniform() == exact_number_from(number));
        }
    }
    for (nlohmann::json const& each : reference().at("normals")) {
        RandomStream stream(word_from(each.at("key")));
        REQUIRE(each.at("numbers").size() == 100);
        for (nlohmann::json const& number : each.at("numbers")) {
            CHECK(stream.next_normal() == exact_number_from(number));
        }
    }
}

TEST_CASE("a uniform number is a multiple of 2^-53 from 0 to below 1, and even over that") {
    RandomStream stream(7);
    std::array<int, 10> tenths{};
    for (int draw = 0; draw < 100000; ++draw) {
        double const number = stream.next_uniform();
        REQUIRE((number >= 0 && number < 1));
        REQUIRE(std::floor(number * 0x1p53) == number * 0x1p53);
        ++tenths[static_cast<std::size_t>(number * 10)];
    }
    for (int const count : tenths) {
        CHECK(std::abs(count - 10000) < 475); // 5 standard deviations
    }
}

TEST_CASE("normal numbers have the moments and the tails of the normal distribution") {
    constexpr int draws = 200000;
    RandomStream stream(2024);
    std::array<double, 5> moments{};
    int beyond_one = 0;
    int beyond_two = 0;
    int beyond_three = 0;
    double product_with_previous = 0;
    double previous = 0;
    for (int draw = 0; draw < draws; ++draw) {
        double const number = stream.next_normal();
        double power = 1;
        for (double& moment : moments) {
            moment += power / draws;
            power *= number;
        }
        beyond_one += std::fabs(number) > 1 ? 1 : 0;
        beyond_two += std::fabs(number) > 2 ? 1 : 0;
        beyond_three += std::fabs(number) > 3 ? 1 : 0;
        product_with_previous += number * previous / draws;
        previous = number;
    }
    // Each bound is about 4.5 standard deviations of the figure over 200,000 draws.
    CHECK(std::fabs(moments[1]) < 0.010);
    CHECK(std::fabs(moments[2] - 1) < 0.0142);
    CHECK(std::fabs(moments[3]) < 0.039);
    CHECK(std::fabs(moments[4] - 3) < 0.099);
    CHECK(std::fabs(beyond_one - 0.3173105 * draws) < 940);
    CHECK(std::fabs(beyond_two - 0.0455003 * draws) < 420);
    CHECK(std::fabs(beyond_three - 0.0026998 * draws) < 105);
    CHECK(std::fabs(product_with_previous) < 0.010);
}

TEST_CASE("a stream depends on its key alone") {
    RandomStream first(99);
    first.next_normal();
    RandomStream second(99);
    RandomStream third(99);
    for (int draw = 0; draw < 10; ++draw) {
        CHECK(second.next_normal() == third.next_normal());
    }
    CHECK(RandomStream(99).next_word() != RandomStream(100).next_word());
}

TEST_CASE("the order and the number of a key's words matter") {
    CHECK(stream_key({1, 2}) != stream_key({2, 1}));
    CHECK(stream_key({}) != stream_key({0}));
    CHECK(stream_key({0}) != stream_key({0, 0}));
    CHECK(stream_key({5, 0}) != stream_key({5}));
    std::set<std::uint64_t> keys;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        for (std::uint64_t role = 0; role < 20; ++role) {
            for (std::uint64_t column = 0; column < 20; ++column) {
                keys.insert(stream_key({seed, role, column}));
            }
        }
    }
    CHECK(keys.size() == 8000);
    for (nlohmann::json const& each : reference().at("stream_keys")) {
        std::vector<std::uint64_t> words;
        for (nlohmann::json const& word : each.at("words")) {
            words.push_back(word_from(word));
        }
        std::uint64_t const key = words.empty()       ? stream_key({})
                                  : words.size() == 1 ? stream_key({words[0]})
                                  : words.size() == 2 ? stream_key({words[0], words[1]})
                                                      : stream_key({words[0], words[1], words[2]});
        CAPTURE(each.dump());
        CHECK(key == word_from(each.at("key")));
    }
}

TEST_CASE("the text hash gives the published values of FNV-1a") {
    CHECK(text_hash("") == 0xcbf29ce484222325u);
    CHECK(text_hash("a") == 0xaf63dc4c8601ec8cu);
    CHECK(text_hash("foobar") == 0x85944171f73967e8u);
}

TEST_CASE("the text hash reads every byte as unsigned, zero bytes included") {
    for (nlohmann::json const& each : reference().at("text_hashes")) {
        CAPTURE(each.dump());
        CHECK(text_hash(each.at("text").get<std::string>()) == word_from(each.at("hash")));
    }
    CHECK(text_hash(std::string("a\0b", 3)) != text_hash("a"));
}
