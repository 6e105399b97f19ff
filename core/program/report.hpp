// A lesson as JSON, under the names that the widget uses, and as a table to read.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "lesson.hpp"

namespace attention {

/// Every stage as nested arrays, the figures under "metrics". Infinities and NaN, which JSON lacks, are texts.
nlohmann::json lesson_report(LessonState const& state, Lesson const& lesson);

/// The weights as a table with the figures of each row beside it.
std::string lesson_table(LessonState const& state, Lesson const& lesson);

} // namespace attention
