#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace attention {
namespace {

nlohmann::json json_of(double number) {
    if (std::isfinite(number)) {
        return number;
    }
    return std::isnan(number) ? "NaN" : number > 0 ? "infinity" : "-infinity";
}

nlohmann::json json_of(Matrix<double> const& matrix) {
    nlohmann::json rows = nlohmann::json::array();
    for (std::size_t i = 0; i < matrix.shape(0); ++i) {
        nlohmann::json row = nlohmann::json::array();
        for (std::size_t j = 0; j < matrix.shape(1); ++j) {
            row.push_back(json_of(matrix(i, j)));
        }
        rows.push_back(row);
    }
    return rows;
}

nlohmann::json json_of(Vector<double> const& vector) {
    nlohmann::json numbers = nlohmann::json::array();
    for (double const number : vector) {
        numbers.push_back(json_of(number));
    }
    return numbers;
}

template <class State> nlohmann::json names_of(std::vector<State> const& states) {
    nlohmann::json names = nlohmann::json::array();
    for (State const state : states) {
        names.push_back(name_of(state));
    }
    return names;
}

/// Characters, not bytes: continuation bytes of UTF-8 take no room.
std::size_t width_of(std::string const& text) {
    std::size_t width = 0;
    for (char const byte : text) {
        width += (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u ? 1 : 0;
    }
    return width;
}

std::string padded(std::string const& text, std::size_t width) {
    std::size_t const own = width_of(text);
    return std::string(own < width ? width - own : 0, ' ') + text;
}

} // namespace

nlohmann::json lesson_report(LessonState const& state, Lesson const& lesson) {
    RowMetrics const& rows = lesson.rows;
    nlohmann::json expected = nullptr;
    if (lesson.expected_spread) {
        expected = *lesson.expected_spread;
    }
    return {
        {"tokens", state.tokens},
        {"X", json_of(lesson.X)},
        {"Wq", json_of(lesson.W_q)},
        {"Wk", json_of(lesson.W_k)},
        {"Wv", json_of(lesson.W_v)},
        {"Q", json_of(lesson.Q)},
        {"K", json_of(lesson.K)},
        {"V", json_of(lesson.V)},
        {"divisor", lesson.divisor},
        {"scores", json_of(lesson.scores)},
        {"scaled", json_of(lesson.scaled)},
        {"masked", json_of(lesson.masked)},
        {"weights", json_of(lesson.weights)},
        {"output", json_of(lesson.output)},
        {"metrics",
         {
             {"spread", json_of(lesson.spread)},
             {"expectedSpread", expected},
             {"peak", json_of(rows.peak)},
             {"entropy", json_of(rows.entropy)},
             {"maximumEntropy", json_of(rows.maximum_entropy)},
             {"jacobian", json_of(rows.jacobian)},
             {"rowSum", json_of(rows.row_sum)},
             {"state", names_of(rows.state)},
             {"gradient", names_of(rows.gradient)},
         }},
    };
}

std::string lesson_table(LessonState const& state, Lesson const& lesson) {
    std::size_t column = 7;
    for (std::string const& token : state.tokens) {
        column = std::max(column, width_of(token) + 2);
    }
    std::ostringstream out;
    out << std::fixed << std::setprecision(3);
    out << padded("", column);
    for (std::string const& token : state.tokens) {
        out << padded(token, column);
    }
    out << "     peak  entropy  jacobian  softmax, gradient\n";
    for (std::size_t i = 0; i < state.tokens.size(); ++i) {
        out << padded(state.tokens[i], column);
        for (std::size_t j = 0; j < state.tokens.size(); ++j) {
            std::ostringstream weight;
            weight << std::fixed << std::setprecision(3) << lesson.weights(i, j);
            out << padded(lesson.visible(i, j) == 0 ? "." : weight.str(), column);
        }
        out << std::setw(9) << lesson.rows.peak(i) << std::setw(9) << lesson.rows.entropy(i) << std::setw(10)
            << lesson.rows.jacobian(i) << "  " << name_of(lesson.rows.state[i]) << ", "
            << name_of(lesson.rows.gradient[i]) << '\n';
    }
    out << "\nd_k " << state.d_k << ", scores divided by " << lesson.divisor << ", spread " << lesson.spread;
    if (lesson.expected_spread) {
        out << " (theory " << *lesson.expected_spread << ')';
    }
    out << '\n';
    return out.str();
}

} // namespace attention
