// The types that cross, for slim-embind.js. This replaces embind's own table of thirty types: its texts and wide
// integers are used by no function here, and their conversions are a third of the generated code.

#include <emscripten/bind.h>
#include <emscripten/emscripten.h>

#include <cstdint>
#include <limits>

namespace {

using emscripten::internal::TypeID;

// embind's numbers for the typed arrays of JavaScript.
constexpr unsigned uint8_array = 1;
constexpr unsigned float64_array = 7;

template <class T> void register_view(unsigned typed_array) {
    emscripten::internal::_embind_register_memory_view(TypeID<emscripten::memory_view<T>>::get(), typed_array, "view");
}

} // namespace

extern "C" {

// The name is embind's: its own library would define it.
// NOLINTBEGIN(bugprone-reserved-identifier)

EMSCRIPTEN_KEEPALIVE __attribute__((constructor)) void __embind_register_native_and_builtin_types() {
    using emscripten::internal::_embind_register_emval;
    using emscripten::internal::_embind_register_integer;
    using emscripten::internal::_embind_register_void;
    _embind_register_void(TypeID<void>::get(), "void");
    _embind_register_integer(TypeID<std::size_t>::get(), "size_t", sizeof(std::size_t), 0,
                             std::numeric_limits<std::size_t>::max());
    _embind_register_emval(TypeID<emscripten::val>::get(), "val");
    register_view<std::uint8_t>(uint8_array);
    register_view<double>(float64_array);
}

// NOLINTEND(bugprone-reserved-identifier)
}
