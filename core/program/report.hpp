// What the commands print: as JSON, under the names that the widget's engine uses, and as a table to read.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lesson.hpp"
#include "statistics.hpp"
#include "training.hpp"

namespace attention {

struct Report {
    nlohmann::json json; // matrices as nested arrays; infinities and NaN, which JSON lacks, as texts
    std::string table;
};

/// JSON: every stage, the figures under "metrics". With several heads their columns of the matrices, of Q, K, V and of
/// the output side by side, the stages between with the head as their first index, the mean of the heads' weights as
/// "average", and the shown head's own lesson under "head", which the figures and the worksheet are of.
/// The table: the shown head's weights with the figures of each row beside them.
Report report_of(LessonState const& state, Lesson const& lesson);

/// JSON: each figure over the steps, before the first and after each, and what was trained. The table: start and end.
Report report_of(Training const& training);

/// JSON: each figure over the widths asked about, "dK". The table: a line for each width.
Report report_of(std::vector<std::size_t> const& widths, std::size_t seeds, std::vector<WidthSummary> const& summaries);

} // namespace attention
