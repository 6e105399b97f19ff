// A lesson's state as it crosses.
#pragma once

#include "lesson.hpp"
#include "packing.hpp"

namespace packing {

/// A lesson's state, its settings in the order in which web/state.js lists them.
inline attention::LessonState lesson_state(Arguments& arguments) {
    attention::Preset preset{};
    arguments.choose(preset);
    attention::LessonState state(arguments.texts());
    state.preset = preset;
    state.d_model = arguments.size();
    state.d_k = arguments.size();
    state.d_v = arguments.size();
    arguments.choose(state.divisor);
    arguments.choose(state.mask);
    arguments.choose(state.projections);
    arguments.choose(state.softmax_axis);
    arguments.choose(state.softmax);
    arguments.choose(state.blend);
    state.heads = arguments.size();
    state.head = arguments.size();
    state.row = arguments.size();
    state.seed = static_cast<std::uint32_t>(arguments.size());
    return state;
}

} // namespace packing
