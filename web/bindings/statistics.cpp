// The table between JavaScript and the core's statistics over many seeds, without logic.

#include "packing.hpp"

#include "statistics.hpp"

namespace {

using emscripten::val;
using packing::Arguments;

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
template <class Record> void append_records(std::vector<double>& numbers, std::vector<Record> const& records) {
    auto const* const first = reinterpret_cast<double const*>(records.data());
    numbers.insert(numbers.end(), first, first + records.size() * (sizeof(Record) / sizeof(double)));
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

void sample(val const& packed, std::size_t size, val const& receiver) {
    Arguments arguments(packed, size);
    attention::StatisticsSettings const settings = settings_from(arguments);
    auto const first_seed = static_cast<std::uint32_t>(arguments.size());
    std::size_t const count = arguments.size();
    if (packing::is_refused(receiver, attention::find_problem(settings, first_seed, count))) {
        return;
    }
    std::vector<attention::WidthSums> const before = sums_from(arguments, settings.widths.size());
    attention::Sample const sample = attention::sample(settings, first_seed, count, before);
    std::vector<double> numbers;
    packing::append(numbers, sample.spread);
    append_records(numbers, sample.sums);
    packing::deliver(receiver, numbers);
}

void summarise(val const& packed, std::size_t size, val const& receiver) {
    Arguments arguments(packed, size);
    attention::StatisticsSettings const settings = settings_from(arguments);
    std::vector<attention::WidthSums> const sums = sums_from(arguments, settings.widths.size());
    attention::Matrix<double> const spread = arguments.matrix();
    std::vector<double> numbers;
    append_records(numbers, attention::summarise(settings, spread, sums));
    packing::deliver(receiver, numbers);
}

} // namespace

EMSCRIPTEN_BINDINGS(statistics) {
    emscripten::function("sample", &sample);
    emscripten::function("summarise", &summarise);
}
