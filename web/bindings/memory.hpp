// How a call ends where WebAssembly's memory has no room for what it needs.
#pragma once

namespace packing {

/// Throws to JavaScript how many bytes the call needed: those it asks for now, beside what is held. The instance is of
/// no use from then on.
///
/// @param bytes may be more than a size of WebAssembly's memory can be
[[noreturn]] void end_for_want_of(double bytes);

} // namespace packing
