// What somebody says of a lesson's state: the rest is default, or follows from what is said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lesson.hpp"

namespace attention {

/// A field for each line of settings.def, without a value where nobody says anything of it.
struct ChosenState {
#define SETTING_CHOICE(field, Type, initial, meaning) std::optional<Type> field;
#define SETTING_TOKENS(field, initial, meaning) std::optional<std::vector<std::string>> field;
#define SETTING_WHOLE(field, Type, least, most, initial, meaning) std::optional<Type> field;
#define SETTING_NUMBER(field, least, below, initial, meaning) std::optional<double> field;
#define SETTING_FOLLOWING(field, leader, least, most, meaning) std::optional<std::size_t> field;
#define SETTING_PLACE(field, count, initial, meaning) std::optional<std::size_t> field;
#define SETTING_MATRIX(field, shape, rows, heads, width, meaning) Matrix<double> field; // empty: seeded
#define SETTING_EDITS(field, meaning) std::vector<MatrixEdit> field;
#include "settings.def"
};

/// "d_k" as the page calls it, dK; a matrix keeps its case: W_q is Wq.
std::string property_name(std::string const& field);

/// The whole state, as `completeState` in web/engine/lesson-state.js gives it: what is not said is the preset's
/// default; given matrices decide d_model, d_k and d_v, whatever else is said of these; X without tokens is of the
/// words x1, x2 and so on. The state may have a problem.
LessonState completed(ChosenState const& chosen);

} // namespace attention
