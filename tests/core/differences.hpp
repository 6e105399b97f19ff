// The gradient of a loss without a backward pass, to compare one with.
#pragma once

#include <cmath>
#include <functional>
#include <limits>

#include "testing.hpp"

namespace testing {

/// L = sum_i G_i Z_i over all entries, whose gradient with respect to the output Z is G.
template <class Container> double loss(Container const& output, Container const& output_gradient) {
    double sum = 0;
    for (std::size_t entry = 0; entry < output.size(); ++entry) {
        sum += output.data()[entry] * output_gradient.data()[entry];
    }
    return sum;
}

/// The gradient of `loss_now` with respect to each entry of a matrix or tensor that it reads: central differences of
/// two widths, so combined that the error is of fourth order.
template <class Container> Container differences(Container& entries, std::function<double()> const& loss_now) {
    Container result = entries;
    for (std::size_t entry = 0; entry < entries.size(); ++entry) {
        double const at = entries.data()[entry];
        auto const slope = [&](double width) {
            entries.data()[entry] = at + width;
            double const above = loss_now();
            entries.data()[entry] = at - width;
            double const below = loss_now();
            entries.data()[entry] = at;
            return (above - below) / (2 * width);
        };
        double const width = 0x1p-11;
        result.data()[entry] = (4 * slope(width / 2) - slope(width)) / 3;
    }
    return result;
}

/// The largest difference relative to the largest entry of all; infinite for NaN and for another shape.
template <class Actual, class Expected> double largest_error(Actual const& actual, Expected const& expected) {
    if (actual.shape() != expected.shape()) {
        return infinity;
    }
    double largest = 0;
    double scale = std::numeric_limits<double>::min();
    for (std::size_t entry = 0; entry < expected.size(); ++entry) {
        double const error = std::fabs(static_cast<double>(actual.data()[entry]) - expected.data()[entry]);
        largest = std::isnan(error) ? infinity : std::max(largest, error);
        scale = std::max(scale, std::fabs(expected.data()[entry]));
    }
    return largest / scale;
}

constexpr double difference_tolerance = 1e-7;

} // namespace testing
