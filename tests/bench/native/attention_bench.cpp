// How fast the fast path is, on one thread: one head of float32, d = 64; and what gradients cost beside a forward pass.
//
//   attention_bench [instruction set]    prints a table, with the best instruction set or the one named
//   attention_bench --answer             reads lines "T is_causal" and answers each with the seconds of a call, for
//                                        numpy_peer.py to take turns with
//   attention_bench --answer-heads       reads lines "threads heads key_value_heads n_query n_key is_causal" and
//   answers
//                                        each with the seconds on the clock of a call of many heads, for
//                                        all_cores_peer.py
//   attention_bench --bandwidth          answers with the bytes a second that a plain sum reads, of 64 MiB
//   attention_bench --output T is_causal reads the entries of query, key and value and writes the output's, for
//                                        numpy_peer.py to compare with its own
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <numeric>
#include <string>

#include "fused.hpp"
#include "fused_tiles.hpp"
#include "multi_head_gradient.hpp"
#include "peak.hpp"
#include "random.hpp"
#include "tensor.hpp"

#ifdef __EMSCRIPTEN__
#include <emscripten.h>

// Emscripten's std::clock() counts the time on the wall.
EM_JS(double, processor_seconds, (), { return 1e-6 * process.cpuUsage().user; })
#else
static double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}
#endif

namespace {

using namespace attention;

constexpr std::size_t d = 64;
constexpr int samples = 15;

/// The average over the calls, of the processor's time: what a busy machine does besides is not counted.
template <class Call> double seconds_of(std::size_t repeats, Call const& call) {
    double const start = processor_seconds();
    float sum = 0;
    for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
        sum += call();
    }
    double const end = processor_seconds();
    float volatile keep = sum; // so that no call is left out
    static_cast<void>(keep);
    return (end - start) / static_cast<double>(repeats);
}

double median(std::vector<double> numbers) {
    std::nth_element(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2), numbers.end());
    return numbers[numbers.size() / 2];
}

template <class T = float> Matrix<T> normal_entries(std::size_t rows, RandomStream& stream) {
    Matrix<T> matrix = make_matrix<T>(rows, d);
    for (T& entry : matrix) {
        entry = static_cast<T>(stream.next_normal());
    }
    return matrix;
}

/// A call of one length, ready to be repeated.
class Workload {
  public:
    Workload(std::size_t length, bool is_causal, double logit_scale = 1)
        : stream_(7), query_(normal_entries(length, stream_)), key_(normal_entries(length, stream_)),
          value_(normal_entries(length, stream_)), output_(make_matrix<float>(length, d)) {
        options_.scale = static_cast<float>(logit_scale / 8);
        options_.rule.is_causal = is_causal;
        double const n = static_cast<double>(length);
        operations_ = 4 * d * (is_causal ? n * (n + 1) / 2 : n * n);
    }

    /// A multiplication and an addition for each visible pair and column, in either product.
    double operations() const { return operations_; }

    double seconds() {
        auto const repeats = static_cast<std::size_t>(1 + 2e-2 * 5e10 / (operations_ + 3e4)); // about 20 ms
        return seconds_of(repeats, [&] { return attend(); });
    }

  private:
    float attend() {
        std::size_t const n = query_.shape(0);
        Problem const problem =
            fused_attention<float>({query_.data(), n, d, d}, {key_.data(), n, d, d}, {value_.data(), n, d, d}, options_,
                                   {output_.data(), n, d, d}, workspace_);
        if (problem) {
            throw_problem(*problem);
        }
        return output_(n - 1, 0);
    }

    RandomStream stream_;
    Matrix<float> query_;
    Matrix<float> key_;
    Matrix<float> value_;
    Matrix<float> output_;
    FusedOptions<float> options_;
    FusedWorkspace<float> workspace_;
    double operations_ = 0;
};

Peak peak_of(std::string const& instruction_set) {
#ifdef ATTENTION_X86_TILES
    if (instruction_set == "avx512") {
        return avx512::peak();
    }
    if (instruction_set == "avx2") {
        return avx2::peak();
    }
#endif
    static_cast<void>(instruction_set);
    return baseline::peak();
}

/// Operations a second, out of registers alone.
double measure_peak(Peak const& peak) {
    std::size_t const rounds = 200000;
    double const seconds = seconds_of(3, [&] { return peak.multiply_and_add(rounds); });
    return peak.operations_a_round * static_cast<double>(rounds) / seconds;
}

void print_table(std::string const& instruction_set) {
    Peak const peak = peak_of(instruction_set);
    std::printf("%s, one thread, float32, d = %zu; medians of %d\n\n", instruction_set.c_str(), d, samples);
    std::printf("     T            time     GFLOP/s   of the peak\n");
    for (bool const is_causal : {false, true}) {
        for (std::size_t const length : std::vector<std::size_t>{6, 64, 256, 1024, 4096}) {
            Workload workload(length, is_causal);
            workload.seconds(); // warms up
            std::vector<double> times;
            std::vector<double> shares;
            for (int sample = 0; sample < samples; ++sample) {
                // The ceiling is measured beside each sample: other work on the machine moves both.
                double const ceiling = measure_peak(peak);
                times.push_back(workload.seconds());
                shares.push_back(workload.operations() / times.back() / ceiling);
            }
            double const time = median(times);
            std::printf("%6zu %s %10.2f us %8.1f %10.0f %%\n", length, is_causal ? "causal" : "full  ", 1e6 * time,
                        workload.operations() / time / 1e9, 100 * median(shares));
        }
    }
    std::printf("\ntime at logit scale s, relative to s = 1, at T = 512:");
    for (double const scale : {10.0, 100.0}) {
        Workload usual(512, false);
        Workload peaked(512, false, scale);
        std::vector<double> ratios;
        for (int sample = 0; sample < samples; ++sample) {
            double const reference = usual.seconds();
            ratios.push_back(peaked.seconds() / reference);
        }
        std::printf("  s = %.0f: %.2f", scale, median(ratios));
    }
    std::printf("\n");
}

/// What the gradients of a call cost, the stages that they need included, beside a forward pass of the same path, which
/// is the readable one.
template <class T> void print_gradients(char const* type) {
    std::size_t const length = 256;
    RandomStream stream(7);
    Matrix<T> const query = normal_entries<T>(length, stream);
    Matrix<T> const key = normal_entries<T>(length, stream);
    Matrix<T> const value = normal_entries<T>(length, stream);
    Matrix<T> const output_gradient = normal_entries<T>(length, stream);
    std::vector<double> times;
    std::vector<double> ratios;
    for (int sample = 0; sample < samples; ++sample) {
        double const forward = seconds_of(4, [&] {
            KeptStages const weights = {false, false, false, true};
            return static_cast<float>(multi_head_attention<T>(query, key, value, {}, weights).output(0, 0));
        });
        times.push_back(seconds_of(4, [&] {
            return static_cast<float>(multi_head_gradients<T>(query, key, value, output_gradient).query(0, 0));
        }));
        ratios.push_back(times.back() / forward);
    }
    std::printf("gradients, %s, T = %zu: %.2f ms, %.2f times the forward pass with its weights (goal: at most 3)\n",
                type, length, 1e3 * median(times), median(ratios));
}

void answer() {
    std::size_t length = 0;
    bool is_causal = false;
    while (std::cin >> length >> is_causal) {
        Workload workload(length, is_causal);
        workload.seconds();
        std::cout << workload.seconds() << std::endl;
    }
}

double clock_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What a call of many heads takes on the clock, in the best of a few, as other work on the machine only adds.
double seconds_of_heads(std::size_t threads, std::size_t heads, std::size_t key_value_heads, std::size_t n_query,
                        std::size_t n_key, bool is_causal) {
    RandomStream stream(7);
    auto const normal = [&](std::size_t head_count, std::size_t rows) {
        Tensor<float> tensor = Tensor<float>::from_shape({1, head_count, rows, d});
        std::generate(tensor.begin(), tensor.end(), [&] { return static_cast<float>(stream.next_normal()); });
        return tensor;
    };
    Tensor<float> const query = normal(heads, n_query);
    Tensor<float> const key = normal(key_value_heads, n_key);
    Tensor<float> const value = normal(key_value_heads, n_key);
    std::vector<float> output(query.size());
    MultiHeadOptions<float> options;
    options.threads = threads;
    options.is_causal = is_causal;
    options.query_offset = static_cast<std::ptrdiff_t>(n_key) - static_cast<std::ptrdiff_t>(n_query);
    MultiHeadWorkspace<float> workspace;
    double best = 0;
    double const start = clock_seconds();
    for (int call = 0; call < 3 || clock_seconds() - start < 0.1; ++call) {
        double const before = clock_seconds();
        if (Problem const problem = attend_heads<float>(query, key, value, options, {output.data()}, workspace)) {
            throw_problem(*problem);
        }
        double const seconds = clock_seconds() - before;
        best = call == 0 ? seconds : std::min(best, seconds);
    }
    return best;
}

void answer_heads() {
    std::size_t threads = 0;
    std::size_t heads = 0;
    std::size_t key_value_heads = 0;
    std::size_t n_query = 0;
    std::size_t n_key = 0;
    bool is_causal = false;
    while (std::cin >> threads >> heads >> key_value_heads >> n_query >> n_key >> is_causal) {
        std::cout << seconds_of_heads(threads, heads, key_value_heads, n_query, n_key, is_causal) << std::endl;
    }
}

/// Bytes a second that a sum on one thread reads out of memory. As many sums as hide an addition's latency.
double bandwidth() {
    std::vector<std::uint64_t> const numbers(std::size_t(8) << 20, 1);
    double best = 0;
    for (int repeat = 0; repeat < 7; ++repeat) {
        double const before = clock_seconds();
        std::uint64_t const sum = std::accumulate(numbers.begin(), numbers.end(), std::uint64_t(0));
        double const seconds = clock_seconds() - before;
        std::uint64_t volatile keep = sum;
        static_cast<void>(keep);
        best = std::max(best, static_cast<double>(numbers.size() * sizeof(std::uint64_t)) / seconds);
    }
    return best;
}

/// @return whether there were as many entries as the length needs
bool write_output(std::size_t length, bool is_causal) {
    std::vector<float> entries(3 * length * d);
    if (std::fread(entries.data(), sizeof(float), entries.size(), stdin) != entries.size()) {
        return false;
    }
    auto const heads = [&](std::size_t which) {
        return StridedMatrix<float const>{entries.data() + which * length * d, length, d, d};
    };
    std::vector<float> output(length * d);
    FusedOptions<float> options;
    options.scale = 1.0F / 8;
    options.rule.is_causal = is_causal;
    FusedWorkspace<float> workspace;
    if (fused_attention<float>(heads(0), heads(1), heads(2), options, {output.data(), length, d, d}, workspace)) {
        return false;
    }
    return std::fwrite(output.data(), sizeof(float), output.size(), stdout) == output.size();
}

} // namespace

int main(int count, char** arguments) {
    if (count > 1 && std::strcmp(arguments[1], "--answer") == 0) {
        answer();
        return 0;
    }
    if (count > 1 && std::strcmp(arguments[1], "--answer-heads") == 0) {
        answer_heads();
        return 0;
    }
    if (count > 1 && std::strcmp(arguments[1], "--bandwidth") == 0) {
        std::printf("%.4g\n", bandwidth());
        return 0;
    }
    if (count > 3 && std::strcmp(arguments[1], "--output") == 0) {
        return write_output(std::strtoul(arguments[2], nullptr, 10), arguments[3][0] == '1') ? 0 : 1;
    }
    std::string const wanted = count > 1 ? arguments[1] : supported_instruction_sets().front().name;
    for (FusedInstructionSet const& set : supported_instruction_sets()) {
        if (wanted == set.name) {
            use_instruction_set(set);
            print_table(wanted);
            print_gradients<float>("float32");
            print_gradients<double>("float64");
            return 0;
        }
    }
    std::fprintf(stderr, "attention_bench: there are no tiles for %s on this machine\n", wanted.c_str());
    return 1;
}
