// What a native build has and a page has not.
#pragma once

namespace attention {

/// Whether this is WebAssembly, where every kilobyte travels with a page and there is one thread: what native programs
/// alone need is left out.
#ifdef __wasm__
constexpr bool is_page = true;
#else
constexpr bool is_page = false;
#endif

} // namespace attention
