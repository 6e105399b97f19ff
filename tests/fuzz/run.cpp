// Runs a fuzz target where there is no libFuzzer: on given files, then on random inputs, which a seed decides.
//
//   attention_fuzz [-seed=1] [-runs=1000] [file …]
//
// The options are libFuzzer's. An input that fails is written to the file fuzz-failure in the working folder.

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "random.hpp"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

// The sanitizers read these: they too are to end in the handler below.
extern "C" char const* __asan_default_options() {
    return "abort_on_error=1";
}
extern "C" char const* __ubsan_default_options() {
    return "abort_on_error=1:print_stacktrace=1";
}

namespace {

std::vector<std::uint8_t> input;

extern "C" void keep_input(int /*signal*/) {
    std::ofstream("fuzz-failure", std::ios::binary)
        .write(reinterpret_cast<char const*>(input.data()), static_cast<std::streamsize>(input.size()));
    std::fputs("The input is in fuzz-failure.\n", stderr);
    std::_Exit(1);
}

std::vector<std::uint8_t> random_input(std::uint64_t seed, std::uint64_t run) {
    attention::RandomStream stream(attention::stream_key({seed, run}));
    std::vector<std::uint8_t> bytes(8 + stream.next_word() % 56);
    for (std::uint8_t& byte : bytes) {
        byte = static_cast<std::uint8_t>(stream.next_word() >> 56);
    }
    return bytes;
}

} // namespace

int main(int argument_count, char** argument_values) {
    std::signal(SIGABRT, keep_input);
    std::uint64_t seed = 1;
    std::uint64_t runs = 1000;
    std::vector<std::string> const arguments(argument_values + 1, argument_values + argument_count);
    for (std::string const& argument : arguments) {
        if (argument.rfind("-seed=", 0) == 0) {
            seed = std::strtoull(argument.c_str() + 6, nullptr, 10);
        } else if (argument.rfind("-runs=", 0) == 0) {
            runs = std::strtoull(argument.c_str() + 6, nullptr, 10);
        } else {
            std::ifstream file(argument, std::ios::binary);
            if (!file) {
                std::fprintf(stderr, "There is no file %s.\n", argument.c_str());
                return 2;
            }
            input.assign(std::istreambuf_iterator<char>(file), {});
            LLVMFuzzerTestOneInput(input.data(), input.size());
        }
    }
    for (std::uint64_t run = 0; run < runs; ++run) {
        input = random_input(seed, run);
        LLVMFuzzerTestOneInput(input.data(), input.size());
    }
    std::printf("%llu random inputs of seed %llu: no disagreement.\n", static_cast<unsigned long long>(runs),
                static_cast<unsigned long long>(seed));
}
