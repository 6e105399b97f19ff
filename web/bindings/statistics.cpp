// The functions with which JavaScript reaches the core's statistics over many seeds.

#include "packing.hpp"

#include "statistics.hpp"

namespace {

using attention::Problem;
using packing::Arguments;
using packing::Results;

attention::StatisticsSettings settings_from(Arguments& arguments) {
    return {arguments.texts(), arguments.size(), arguments.size()};
}

/// Records of doubles alone cross as these doubles, one behind the other.
template <class Record> void append_records(Results& results, Record const* first, std::size_t count) {
    results.append_all(reinterpret_cast<double const*>(first), count * (sizeof(Record) / sizeof(double)));
}

std::vector<attention::WidthSums> sums_from(Arguments& arguments, std::size_t widths) {
    std::vector<attention::WidthSums> sums(widths);
    auto* const numbers = reinterpret_cast<double*>(sums.data());
    for (std::size_t index = 0; index < widths * (sizeof(attention::WidthSums) / sizeof(double)); ++index) {
        numbers[index] = arguments.number();
    }
    return sums;
}

Problem sample(Arguments& arguments, Results& results) {
    attention::StatisticsSettings const settings = settings_from(arguments);
    auto const first_seed = static_cast<std::uint32_t>(arguments.size());
    std::size_t const count = arguments.size();
    if (Problem problem = attention::find_problem(settings, first_seed, count)) {
        return problem;
    }
    attention::Sample const sample =
        attention::sample(settings, first_seed, count, sums_from(arguments, settings.largest_d_k));
    results.append(sample.spread);
    append_records(results, sample.sums.data(), sample.sums.size());
    return {};
}

Problem summarise(Arguments& arguments, Results& results) {
    attention::StatisticsSettings const settings = settings_from(arguments);
    std::vector<attention::WidthSums> const sums = sums_from(arguments, settings.largest_d_k);
    attention::Matrix<double> const spread = arguments.matrix();
    for (std::size_t d_k = 1; d_k <= settings.largest_d_k; ++d_k) {
        attention::WidthSummary const summary = attention::summarise(settings, spread, sums, d_k);
        append_records(results, &summary, 1);
    }
    return {};
}

} // namespace

EMSCRIPTEN_BINDINGS(statistics) {
    emscripten::function("sample", &packing::entry_point<sample>);
    emscripten::function("summarise", &packing::entry_point<summarise>);
}
