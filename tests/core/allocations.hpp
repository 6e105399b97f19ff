// How much memory code under test asks for at once.
#pragma once

#include <cstddef>

namespace testing {

/// The largest single allocation, in bytes, since this was last set to 0.
extern std::size_t largest_allocation;

} // namespace testing
