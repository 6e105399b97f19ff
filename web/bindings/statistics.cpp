// The table between JavaScript and the core's statistics over many seeds, without logic.

#include "packing.hpp"

#include "statistics.hpp"

namespace {

using attention::Problem;
using packing::Arguments;
using Results = packing::Results<double>;

attention::StatisticsSettings settings_from(Arguments& arguments) {
    attention::StatisticsSettings settings;
    settings.tokens = arguments.texts();
    settings.d_model = arguments.size();
    settings.widths.resize(arguments.size());
    for (std::size_t& width : settings.widths) {
        width = arguments.size();
    }
    return settings;
}

/// Records of doubles alone cross as these doubles, one behind the other.
template <class Record> void append_records(Results& results, std::vector<Record> const& records) {
    results.append_all(reinterpret_cast<double const*>(records.data()),
                       records.size() * (sizeof(Record) / sizeof(double)));
}

std::vector<attention::WidthSums> sums_from(Arguments& arguments, std::size_t widths) {
    std::vector<attention::WidthSums> sums(widths);
    for (attention::WidthSums& each : sums) {
        auto* const numbers = reinterpret_cast<double*>(&each);
        for (std::size_t index = 0; index < sizeof(each) / sizeof(double); ++index) {
            numbers[index] = arguments.number();
        }
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
    std::vector<attention::WidthSums> const before = sums_from(arguments, settings.widths.size());
    attention::Sample const sample = attention::sample(settings, first_seed, count, before);
    results.append(sample.spread);
    append_records(results, sample.sums);
    return {};
}

Problem summarise(Arguments& arguments, Results& results) {
    attention::StatisticsSettings const settings = settings_from(arguments);
    std::vector<attention::WidthSums> const sums = sums_from(arguments, settings.widths.size());
    attention::Matrix<double> const spread = arguments.matrix();
    append_records(results, attention::summarise(settings, spread, sums));
    return {};
}

} // namespace

EMSCRIPTEN_BINDINGS(statistics) {
    emscripten::function("sample", &packing::call<sample>);
    emscripten::function("summarise", &packing::call<summarise>);
}
