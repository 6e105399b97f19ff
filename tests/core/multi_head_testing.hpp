// What the tests of attention over batches and heads share: tensors, their heads, and calls of the reference.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "multi_head.hpp"
#include "references.hpp"
#include "testing.hpp"

namespace testing {

using attention::MultiHeadOptions;
using attention::Tensor;

using Shape = std::vector<std::size_t>;
using Offsets = std::vector<std::ptrdiff_t>;

inline Shape shape_of(Tensor<double> const& tensor) {
    return {tensor.shape().begin(), tensor.shape().end()};
}

template <class T> Tensor<T> make_tensor(Shape const& shape) {
    Tensor<T> tensor = Tensor<T>::from_shape(shape);
    tensor.fill(T(0));
    return tensor;
}

template <class T> Tensor<T> tensor_of(Shape const& shape, std::vector<T> const& numbers) {
    Tensor<T> tensor = make_tensor<T>(shape);
    REQUIRE(numbers.size() == tensor.size());
    std::copy(numbers.begin(), numbers.end(), tensor.begin());
    return tensor;
}

/// Numbers without a pattern, mean 0 and variance 1.
template <class T = double> Tensor<T> scattered_tensor(Shape const& shape, std::uint32_t seed) {
    Tensor<T> tensor = make_tensor<T>(shape);
    Matrix<T> const numbers = scattered<T>(1, tensor.size(), seed);
    std::copy(numbers.begin(), numbers.end(), tensor.begin());
    return tensor;
}

/// The numbers of a tensor as a table whose rows are its last axis.
template <class T> Matrix<T> as_rows(Tensor<T> const& tensor) {
    std::size_t const width = tensor.shape().back();
    Matrix<T> rows = attention::make_matrix<T>(tensor.size() / width, width);
    std::copy(tensor.begin(), tensor.end(), rows.begin());
    return rows;
}

template <class T> void require_same(Tensor<T> const& actual, Tensor<T> const& expected, int line = __builtin_LINE()) {
    INFO("require_same on line " << line);
    REQUIRE(actual.shape() == expected.shape());
    require_equal(as_rows(actual), as_rows(expected), line);
}

/// The (rows, width) matrix of one head of one batch of a tensor of rank 4.
template <class T> Matrix<T> head_of(Tensor<T> const& tensor, std::size_t batch, std::size_t head) {
    Matrix<T> matrix = attention::make_matrix<T>(tensor.shape(2), tensor.shape(3));
    for (std::size_t i = 0; i < matrix.shape(0); ++i) {
        for (std::size_t c = 0; c < matrix.shape(1); ++c) {
            matrix(i, c) = tensor(batch, head, i, c);
        }
    }
    return matrix;
}

/// A tensor of rank 4 with its heads side by side, in rank 3.
template <class T> Tensor<T> side_by_side(Tensor<T> const& tensor) {
    std::size_t const width = tensor.shape(3);
    Tensor<T> packed = make_tensor<T>({tensor.shape(0), tensor.shape(2), tensor.shape(1) * width});
    for (std::size_t b = 0; b < tensor.shape(0); ++b) {
        for (std::size_t h = 0; h < tensor.shape(1); ++h) {
            for (std::size_t i = 0; i < tensor.shape(2); ++i) {
                for (std::size_t c = 0; c < width; ++c) {
                    packed(b, i, h * width + c) = tensor(b, h, i, c);
                }
            }
        }
    }
    return packed;
}

/// Heads of a tensor of rank 4 in another order, or repeated.
template <class T> Tensor<T> with_heads(Tensor<T> const& tensor, std::vector<std::size_t> const& heads) {
    Tensor<T> chosen = make_tensor<T>({tensor.shape(0), heads.size(), tensor.shape(2), tensor.shape(3)});
    for (std::size_t b = 0; b < chosen.shape(0); ++b) {
        for (std::size_t h = 0; h < heads.size(); ++h) {
            for (std::size_t i = 0; i < chosen.shape(2); ++i) {
                for (std::size_t c = 0; c < chosen.shape(3); ++c) {
                    chosen(b, h, i, c) = tensor(b, heads[h], i, c);
                }
            }
        }
    }
    return chosen;
}

template <class T> struct Tensors {
    Tensor<T> query;
    Tensor<T> key;
    Tensor<T> value;
};

/// Two batches of four heads, three queries and five keys: no two axes of one tensor are alike.
template <class T = double> Tensors<T> rank_4() {
    return {scattered_tensor<T>({2, 4, 3, 6}, 51), scattered_tensor<T>({2, 4, 5, 6}, 52),
            scattered_tensor<T>({2, 4, 5, 7}, 53)};
}

/// Of two batches, three queries and five keys: a key that no query sees, and a query that sees no key.
template <class T> struct HidingMasks {
    Tensor<std::uint8_t> boolean;
    Tensor<T> additive;
};

template <class T> HidingMasks<T> hiding_masks() {
    HidingMasks<T> masks{make_tensor<std::uint8_t>({2, 1, 3, 5}), make_tensor<T>({2, 1, 3, 5})};
    masks.boolean.fill(1);
    auto const hide = [&](std::size_t batch, std::size_t query, std::size_t key) {
        masks.boolean(batch, 0, query, key) = 0;
        masks.additive(batch, 0, query, key) = -std::numeric_limits<T>::infinity();
    };
    for (std::size_t i = 0; i < 3; ++i) {
        hide(1, i, 2); // from every query
    }
    for (std::size_t j = 0; j < 5; ++j) {
        hide(0, 1, j); // every key
    }
    return masks;
}

constexpr attention::KeptStages all_stages = {true, true, true, true};

template <class T>
attention::MultiHeadAttention<T> attend(Tensors<T> const& tensors, MultiHeadOptions<T> const& options = {},
                                        attention::KeptStages const& keep = all_stages) {
    return attention::multi_head_attention<T>(tensors.query, tensors.key, tensors.value, options, keep);
}

template <class T> Tensor<T> tensor_from(nlohmann::json const& json) {
    Tensor<T> tensor = make_tensor<T>(json.at("shape").get<Shape>());
    nlohmann::json const& data = json.at("data");
    if (data.size() != tensor.size()) {
        throw std::runtime_error("a tensor of the reference does not hold what its shape says");
    }
    std::transform(data.begin(), data.end(), tensor.begin(),
                   [](nlohmann::json const& number) { return static_cast<T>(number_from(number)); });
    return tensor;
}

inline bool ends_with(std::string const& text, std::string const& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

template <class T> MultiHeadOptions<T> options_from(nlohmann::json const& json) {
    MultiHeadOptions<T> options;
    for (auto const& item : json.items()) {
        std::string const& name = item.key();
        nlohmann::json const& value = item.value();
        if (name == "scale") {
            options.scale = value.get<T>();
        } else if (name == "softcap") {
            options.softcap = value.get<T>();
        } else if (name == "isCausal") {
            options.is_causal = value.get<bool>();
        } else if (name == "queryOffset") {
            if (value.is_array()) {
                options.query_offset = value.get<Offsets>();
            } else {
                options.query_offset = value.get<std::ptrdiff_t>();
            }
        } else if (name == "leftWindow") {
            options.left_window = value.get<std::ptrdiff_t>();
        } else if (name == "rightWindow") {
            options.right_window = value.get<std::ptrdiff_t>();
        } else if (name == "keyLengths") {
            options.key_lengths = value.get<Shape>();
        } else if (name == "heads") {
            options.heads = value.get<std::size_t>();
        } else if (name == "keyValueHeads") {
            options.key_value_heads = value.get<std::size_t>();
        } else {
            throw std::runtime_error("the reference has an option " + name);
        }
    }
    return options;
}

/// A call of multi_head_reference.json, and the mask that its options refer to.
template <class T> struct ReferenceCall {
    ReferenceCall(nlohmann::json const& named, nlohmann::json const& each)
        : tensors{tensor_from<T>(named.at(each.at("query").get<std::string>())),
                  tensor_from<T>(named.at(each.at("key").get<std::string>())),
                  tensor_from<T>(named.at(each.at("value").get<std::string>()))},
          options(options_from<T>(each.at("options"))) {
        if (each.contains("mask")) {
            std::string const name = each.at("mask");
            if (ends_with(name, "boolean")) {
                boolean = tensor_from<std::uint8_t>(named.at(name));
                options.mask = boolean;
            } else {
                additive = tensor_from<T>(named.at(name));
                options.mask = additive;
            }
        }
    }
    ReferenceCall(ReferenceCall const&) = delete;
    ReferenceCall& operator=(ReferenceCall const&) = delete;

    Tensors<T> tensors;
    MultiHeadOptions<T> options;
    Tensor<std::uint8_t> boolean;
    Tensor<T> additive;
};

} // namespace testing
