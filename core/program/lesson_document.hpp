// A lesson's state as a JSON file: the interchange format, which the page writes and reads too
// (web/engine/lesson-document.js). core/README.md describes it, dist/lesson.schema.json says it to programs.
#pragma once

#include <string>

#include "chosen_state.hpp"

namespace attention {

/// Reads a file. Numbers keep every bit, the sign of -0 too. What the page alone looks at, such as its theme, is
/// accepted and left out.
///
/// @throws ArgumentError  if there is no such file, or it holds no lesson's state; the sentence names file and place.
///                        Whether settings contradict each other `find_problem` says
ChosenState read_lesson_document(std::string const& path);

} // namespace attention
