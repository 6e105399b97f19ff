#include "references.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>

using attention::Matrix;
using attention::Vector;

namespace testing {

nlohmann::json reference_from(std::string const& text) {
    return nlohmann::json::parse(text);
}

nlohmann::json read_reference(std::string const& name) {
    std::ifstream file(std::string(ATTENTION_REFERENCE_FOLDER) + "/" + name);
    if (!file) {
        throw std::runtime_error("cannot open " + name);
    }
    return reference_from({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
}

double number_from(nlohmann::json const& json) {
    return json == "-inf"  ? -std::numeric_limits<double>::infinity()
           : json == "nan" ? std::numeric_limits<double>::quiet_NaN()
                           : json.get<double>();
}

Matrix<double> matrix_from(nlohmann::json const& rows) {
    Matrix<double> matrix = attention::make_matrix<double>(rows.size(), rows.at(0).size());
    for (std::size_t i = 0; i < matrix.shape(0); ++i) {
        if (rows[i].size() != matrix.shape(1)) {
            throw std::runtime_error("row " + std::to_string(i) + " has another length than row 0");
        }
        for (std::size_t j = 0; j < matrix.shape(1); ++j) {
            matrix(i, j) = number_from(rows[i][j]);
        }
    }
    return matrix;
}

Vector<double> vector_from(nlohmann::json const& numbers) {
    Vector<double> vector = attention::make_vector<double>(numbers.size());
    std::transform(numbers.begin(), numbers.end(), vector.begin(), number_from);
    return vector;
}

} // namespace testing
