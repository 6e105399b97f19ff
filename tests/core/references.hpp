// The files of numbers that tests/reference computes without the core. They are parsed in one source: under the
// sanitizers a parser takes a compiler longer than most files of tests do.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "tensor.hpp"

namespace testing {

/// @throws std::runtime_error  where there is no such file
nlohmann::json read_reference(std::string const& name);

/// A JSON text, read as a file of references is.
nlohmann::json reference_from(std::string const& text);

/// A number, or the text "-inf" or "nan".
double number_from(nlohmann::json const& json);

/// @throws std::runtime_error  unless every row is as long as the first
attention::Matrix<double> matrix_from(nlohmann::json const& rows);

attention::Vector<double> vector_from(nlohmann::json const& numbers);

} // namespace testing
