// A lesson's state as it crosses.
#pragma once

#include "lesson.hpp"
#include "packing.hpp"

namespace packing {

/// Edits of matrices cross as their count, and each as five numbers.
inline std::vector<attention::MatrixEdit> matrix_edits(Arguments& arguments) {
    std::vector<attention::MatrixEdit> edits(arguments.size());
    for (attention::MatrixEdit& edit : edits) {
        arguments.choose(edit.matrix);
        edit.head = arguments.size();
        edit.row = arguments.size();
        edit.column = arguments.size();
        edit.value = arguments.number();
    }
    return edits;
}

/// A lesson's state, its settings in the order of settings.def.
inline attention::LessonState lesson_state(Arguments& arguments) {
    attention::LessonState state{std::vector<std::string>()};
#define SETTING_CHOICE(field, Type, initial, meaning) arguments.choose(state.field);
#define SETTING_TOKENS(field, initial, meaning) state.field = arguments.texts();
#define SETTING_WHOLE(field, Type, least, most, initial, meaning) state.field = static_cast<Type>(arguments.size());
#define SETTING_NUMBER(field, least, below, initial, meaning) state.field = arguments.number();
#define SETTING_FOLLOWING(field, leader, least, most, meaning) state.field = arguments.size();
#define SETTING_PLACE(field, count, initial, meaning) state.field = arguments.size();
#define SETTING_MATRIX(field, shape, rows, heads, width, meaning) arguments.read(state.field);
#define SETTING_EDITS(field, meaning) state.field = matrix_edits(arguments);
#include "settings.def"
    return state;
}

} // namespace packing
