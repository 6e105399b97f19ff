#include "multi_head.hpp"

#include <map>

#include "allocations.hpp"
#include "attention.hpp"
#include "testing.hpp"

using namespace attention;
using namespace testing;

namespace {

using Shape = std::vector<std::size_t>;
using Offsets = std::vector<std::ptrdiff_t>;

Shape shape_of(Tensor<double> const& tensor) {
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
    Matrix<T> rows = make_matrix<T>(tensor.size() / width, width);
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
    Matrix<T> matrix = make_matrix<T>(tensor.shape(2), tensor.shape(3));
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

constexpr KeptStages all_stages = {true, true, true, true};

template <class T>
MultiHeadAttention<T> attend(Tensors<T> const& tensors, MultiHeadOptions<T> const& options = {},
                             KeptStages const& keep = all_stages) {
    return multi_head_attention<T>(tensors.query, tensors.key, tensors.value, options, keep);
}

template <class T> void require_same(MultiHeadAttention<T> const& actual, MultiHeadAttention<T> const& expected) {
    require_same(actual.output, expected.output);
    require_same(actual.scores.value(), expected.scores.value());
    require_same(actual.capped.value(), expected.capped.value());
    require_same(actual.masked.value(), expected.masked.value());
    require_same(actual.weights.value(), expected.weights.value());
}

/// The sentence about a call, which is found beforehand and thrown alike.
template <class T> std::string refusal_of(Tensors<T> const& tensors, MultiHeadOptions<T> const& options = {}) {
    std::string const found = sentence_of(find_problem<T>(tensors.query, tensors.key, tensors.value, options));
    CHECK(thrown_by([&] { attend(tensors, options); }) == found);
    return found;
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

bool ends_with(std::string const& text, std::string const& end) {
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

/// Compares every case of the reference, computed in T, and its output once more without stages.
template <class T> std::size_t require_reference_within(double tolerance, bool half_precision) {
    nlohmann::json const reference = read_reference("multi_head_reference.json");
    nlohmann::json const& tensors = reference.at("tensors");
    std::size_t cases = 0;
    for (nlohmann::json const& each : reference.at("cases")) {
        if (each.at("isHalf").get<bool>() != half_precision) {
            continue;
        }
        ++cases;
        CAPTURE(each.at("name").get<std::string>());
        Tensors<T> const call = {tensor_from<T>(tensors.at(each.at("query").get<std::string>())),
                                 tensor_from<T>(tensors.at(each.at("key").get<std::string>())),
                                 tensor_from<T>(tensors.at(each.at("value").get<std::string>()))};
        MultiHeadOptions<T> options = options_from<T>(each.at("options"));
        Tensor<std::uint8_t> boolean;
        Tensor<T> additive;
        if (each.contains("mask")) {
            std::string const name = each.at("mask");
            if (ends_with(name, "boolean")) {
                boolean = tensor_from<std::uint8_t>(tensors.at(name));
                options.mask = boolean;
            } else {
                additive = tensor_from<T>(tensors.at(name));
                options.mask = additive;
            }
        }
        MultiHeadAttention<T> const result = attend(call, options);
        std::map<std::string, Tensor<T>> const found = {{"output", result.output},
                                                        {"scores", result.scores.value()},
                                                        {"capped", result.capped.value()},
                                                        {"masked", result.masked.value()},
                                                        {"weights", result.weights.value()}};
        for (auto const& [name, tensor] : each.at("results").items()) {
            CAPTURE(name);
            Tensor<double> const expected = tensor_from<double>(tensor);
            Tensor<double> const actual = found.at(name);
            REQUIRE(shape_of(actual) == shape_of(expected));
            require_close(as_rows(actual), as_rows(expected), tolerance, tolerance);
        }
        Tensor<double> const without_stages = attend(call, options, {}).output;
        require_close(as_rows(without_stages), as_rows(tensor_from<double>(each.at("results").at("output"))), tolerance,
                      tolerance);
    }
    return cases;
}

} // namespace

TEST_CASE("float64 agrees with an independent reference within 1e-10, for every rank, mask and option") {
    REQUIRE(require_reference_within<double>(1e-10, false) == 76);
}

TEST_CASE("float32 agrees with an independent reference within 1e-5, for every rank, mask and option") {
    REQUIRE(require_reference_within<float>(1e-5, false) == 76);
}

TEST_CASE("numbers of half precision agree with an independent reference within 2e-3") {
    REQUIRE(require_reference_within<float>(2e-3, true) == 4);
}

TEST_CASE("two heads of rank 3 can be checked by hand") {
    // Head 0: scores 0, ln 3 and -ln 3, 0. Head 1 sees zeros alone and spreads evenly.
    double const three = std::log(3.0);
    Tensors<double> const tensors = {Tensor<double>{{{1, 0}, {-1, 0}}}, Tensor<double>{{{0, 9}, {three, -9}}},
                                     Tensor<double>{{{4, 0, 2, 6}, {8, 4, 4, 2}}}};
    MultiHeadOptions<double> options;
    options.heads = 2;
    options.scale = 1;
    MultiHeadAttention<double> const result = attend(tensors, options);
    require_same(result.scores.value(), Tensor<double>{{{{0, three}, {0, -three}}, {{0, 0}, {0, 0}}}});
    require_close(as_rows(result.weights.value()), Matrix<double>{{0.25, 0.75}, {0.75, 0.25}, {0.5, 0.5}, {0.5, 0.5}},
                  0, 1e-15);
    REQUIRE(shape_of(result.output) == Shape{1, 2, 4});
    require_close(as_rows(result.output), Matrix<double>{{7, 3, 3, 4}, {5, 1, 3, 4}}, 0, 1e-15);
}

TEST_CASE("heads side by side are joined token by token, not by reading memory on") {
    Tensor<double> const value = {{{1, 2, 5, 6}, {3, 4, 7, 8}}};
    Tensor<std::uint8_t> const own = {{1, 0}, {0, 1}};
    MultiHeadOptions<double> options;
    options.heads = 2;
    options.mask = own;
    require_same(attend<double>({value, value, value}, options).output, value);
    Tensor<double> const apart = {{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}};
    options.heads = std::nullopt;
    require_same(attend<double>({apart, apart, apart}, options).output, apart);
}

TEMPLATE_TEST_CASE("each head of each batch is what attention of its own matrices is, bit for bit", "", float, double) {
    using T = TestType;
    Tensors<T> const tensors = rank_4<T>();
    Tensor<T> const mask = scattered_tensor<T>({2, 4, 3, 5}, 54);
    MultiHeadOptions<T> options;
    options.softcap = 2;
    options.is_causal = true;
    options.query_offset = Offsets{1, 2};
    options.left_window = 2;
    options.key_lengths = {5, 4};
    options.mask = mask;
    MultiHeadAttention<T> const whole = attend(tensors, options);
    for (std::size_t b = 0; b < 2; ++b) {
        for (std::size_t h = 0; h < 4; ++h) {
            AttentionOptions<T> one;
            one.softcap = 2;
            one.rule = {true, static_cast<std::ptrdiff_t>(b + 1), 2, -1, b == 0 ? 5 : 4};
            one.mask = head_of(mask, b, h);
            Attention<T> const expected = scaled_dot_product_attention(
                head_of(tensors.query, b, h), head_of(tensors.key, b, h), head_of(tensors.value, b, h), one);
            require_equal(head_of(whole.scores.value(), b, h), expected.scores);
            require_equal(head_of(whole.capped.value(), b, h), expected.capped);
            require_equal(head_of(whole.masked.value(), b, h), expected.masked);
            require_equal(head_of(whole.weights.value(), b, h), expected.weights);
            require_equal(head_of(whole.output, b, h), expected.output);
        }
    }
}

TEST_CASE("rank 2 is one batch of one head, with stages of rank 2") {
    Tensors<double> const tensors = rank_4();
    Matrix<double> const query = head_of(tensors.query, 1, 2);
    Matrix<double> const key = head_of(tensors.key, 1, 2);
    Matrix<double> const value = head_of(tensors.value, 1, 2);
    MultiHeadAttention<double> const result = multi_head_attention<double>(query, key, value, {}, all_stages);
    Attention<double> const expected = scaled_dot_product_attention(query, key, value);
    CHECK(shape_of(result.output) == Shape{3, 7});
    CHECK(shape_of(result.weights.value()) == Shape{3, 5});
    require_equal(as_rows(result.output), expected.output);
    require_equal(as_rows(result.weights.value()), expected.weights);
    require_equal(as_rows(result.scores.value()), expected.scores);
}

TEST_CASE("heads side by side give what heads apart give, bit for bit") {
    Tensors<double> const apart = rank_4();
    Tensors<double> const packed = {side_by_side(apart.query), side_by_side(apart.key), side_by_side(apart.value)};
    Tensor<std::uint8_t> const mask = tensor_of<std::uint8_t>({1, 4, 3, 1}, {1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1});
    MultiHeadOptions<double> options;
    options.mask = mask;
    MultiHeadAttention<double> expected = attend(apart, options);
    expected.output = side_by_side(expected.output);
    options.heads = 4;
    require_same(attend(packed, options), expected);
    options.key_value_heads = 4;
    require_same(attend(packed, options), expected);
}

TEST_CASE("heads in another order give outputs and weights in that order") {
    Tensors<double> const tensors = rank_4();
    std::vector<std::size_t> const order = {2, 0, 3, 1};
    Tensors<double> const moved = {with_heads(tensors.query, order), with_heads(tensors.key, order),
                                   with_heads(tensors.value, order)};
    MultiHeadAttention<double> const before = attend(tensors);
    MultiHeadAttention<double> const after = attend(moved);
    require_same(after.output, with_heads(before.output, order));
    require_same(after.weights.value(), with_heads(before.weights.value(), order));
}

TEST_CASE("a head of key and value that several heads of query share is as good as repeated") {
    Tensors<double> const tensors = rank_4();
    for (std::vector<std::size_t> const& shared : {std::vector<std::size_t>{3, 1}, std::vector<std::size_t>{2}}) {
        Tensors<double> const grouped = {tensors.query, with_heads(tensors.key, shared),
                                         with_heads(tensors.value, shared)};
        std::vector<std::size_t> repeated;
        for (std::size_t head = 0; head < 4; ++head) {
            repeated.push_back(shared[head * shared.size() / 4]);
        }
        MultiHeadAttention<double> expected =
            attend<double>({tensors.query, with_heads(tensors.key, repeated), with_heads(tensors.value, repeated)});
        require_same(attend(grouped), expected);

        expected.output = side_by_side(expected.output);
        MultiHeadOptions<double> options;
        options.heads = 4;
        require_same(
            attend({side_by_side(grouped.query), side_by_side(grouped.key), side_by_side(grouped.value)}, options),
            expected);
    }
}

TEST_CASE("one batch does not reach into another") {
    Tensors<double> const tensors = rank_4();
    Tensors<double> changed = tensors;
    for (std::size_t h = 0; h < 4; ++h) {
        changed.query(1, h, 0, 0) += 3;
        changed.key(1, h, 4, 5) -= 3;
        changed.value(1, h, 2, 6) += 3;
    }
    MultiHeadAttention<double> const before = attend(tensors);
    MultiHeadAttention<double> const after = attend(changed);
    for (std::size_t h = 0; h < 4; ++h) {
        require_equal(head_of(after.output, 0, h), head_of(before.output, 0, h));
        CHECK(difference(head_of(after.output, 1, h), head_of(before.output, 1, h)) != "");
    }
}

TEST_CASE("keys behind a cache, one query at a time, give the rows of the whole causal run") {
    Tensors<double> const whole = {scattered_tensor({1, 2, 5, 3}, 61), scattered_tensor({1, 2, 5, 3}, 62),
                                   scattered_tensor({1, 2, 5, 4}, 63)};
    MultiHeadOptions<double> options;
    options.is_causal = true;
    MultiHeadAttention<double> const expected = attend(whole, options);
    for (std::size_t step = 0; step < 5; ++step) {
        Tensors<double> one = whole;
        one.query = make_tensor<double>({1, 2, 1, 3});
        for (std::size_t h = 0; h < 2; ++h) {
            for (std::size_t c = 0; c < 3; ++c) {
                one.query(0, h, 0, c) = whole.query(0, h, step, c);
            }
        }
        options.query_offset = static_cast<std::ptrdiff_t>(step);
        MultiHeadAttention<double> const found = attend(one, options);
        for (std::size_t h = 0; h < 2; ++h) {
            require_equal(head_of(found.output, 0, h), only_row(head_of(expected.output, 0, h), step));
        }
    }
}

TEST_CASE("a mask of any rank is read from its last axis backwards, and repeated along the axes that it lacks") {
    Tensors<double> const tensors = rank_4();
    for (Shape const& shape :
         {Shape{5}, Shape{1}, Shape{3, 5}, Shape{3, 1}, Shape{1, 5}, Shape{4, 3, 5}, Shape{4, 1, 1}, Shape{1, 3, 5},
          Shape{2, 4, 3, 5}, Shape{2, 1, 1, 5}, Shape{1, 4, 3, 1}, Shape{2, 1, 3, 5}, Shape{1, 1, 1, 1}}) {
        Tensor<double> const mask = scattered_tensor(shape, 71);
        CAPTURE(shape);
        Tensor<double> full = make_tensor<double>({2, 4, 3, 5});
        Tensor<std::uint8_t> shown = make_tensor<std::uint8_t>({2, 4, 3, 5});
        Tensor<std::uint8_t> boolean = make_tensor<std::uint8_t>(shape);
        std::transform(mask.begin(), mask.end(), boolean.begin(), [](double entry) { return entry > -0.5 ? 1 : 0; });
        for (std::size_t b = 0; b < 2; ++b) {
            for (std::size_t h = 0; h < 4; ++h) {
                for (std::size_t i = 0; i < 3; ++i) {
                    for (std::size_t j = 0; j < 5; ++j) {
                        Shape const place = {b, h, i, j};
                        std::size_t at = 0;
                        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                            std::size_t const index = place[4 - shape.size() + axis];
                            at = at * shape[axis] + (shape[axis] == 1 ? 0 : index);
                        }
                        full(b, h, i, j) = mask.data()[at];
                        shown(b, h, i, j) = boolean.data()[at];
                    }
                }
            }
        }
        MultiHeadOptions<double> options;
        options.mask = mask;
        MultiHeadOptions<double> expected;
        expected.mask = full;
        require_same(attend(tensors, options), attend(tensors, expected));
        options.mask = boolean;
        expected.mask = shown;
        require_same(attend(tensors, options), attend(tensors, expected));
    }
}

TEST_CASE("scale 0 spreads evenly over what is visible, and is not taken for a missing one") {
    Tensors<double> const tensors = rank_4();
    MultiHeadOptions<double> options;
    options.scale = 0;
    options.is_causal = true;
    options.query_offset = std::ptrdiff_t(1);
    MultiHeadAttention<double> const result = attend(tensors, options);
    require_close(head_of(result.weights.value(), 1, 3),
                  Matrix<double>{{0.5, 0.5, 0, 0, 0}, {1 / 3., 1 / 3., 1 / 3., 0, 0}, {0.25, 0.25, 0.25, 0.25, 0}}, 0,
                  1e-15);
    options.scale = std::nullopt;
    MultiHeadAttention<double> const by_default = attend(tensors, options);
    options.scale = 1 / std::sqrt(6.0); // of one head's d_k, not of the width of all
    require_same(attend(tensors, options), by_default);
}

TEST_CASE("one query and one key: weight 1 and the value itself, in every rank") {
    std::vector<double> const value = {2, 5, -1};
    for (std::size_t rank = 2; rank <= 4; ++rank) {
        Shape const ones(rank, 1);
        Shape shape = ones;
        shape.back() = 3;
        Tensor<double> const query = tensor_of<double>(ones, {0.7});
        Tensor<double> const key = tensor_of<double>(ones, {-3});
        Tensor<double> const expected = tensor_of(shape, value);
        MultiHeadAttention<double> const result = attend<double>({query, key, expected});
        require_same(result.output, expected);
        require_equal(as_rows(result.weights.value()), Matrix<double>{{1}});
        require_same(attend<double>({query, key, expected}, {}, {}).output, expected);
    }
}

TEST_CASE("scores far apart, large or all negative give the weights that they should, with stages and without") {
    Tensor<double> const query = tensor_of<double>({1, 4, 1, 1}, {1, 1, 1, 1});
    Tensor<double> const key =
        tensor_of<double>({1, 4, 4, 1}, {7999.99, 8000, 2, 1, -1000, -1001, -1000, -1001, 800, 1, 1, 1, -249.873093,
                                         -424.126709, 378.097443, -292.614532});
    Tensor<double> const value =
        tensor_of<double>({1, 4, 4, 1}, {1, 10, 100, 1000, 1, 10, 100, 1000, 1, 10, 100, 1000, 1, 10, 100, 1000});
    MultiHeadOptions<double> options;
    options.scale = 1;
    double const near = 0.7310585786300049 / 2;
    double const far = 0.2689414213699951 / 2;
    Matrix<double> const weights = {
        {0.4975000208331250, 0.5024999791668750, 0, 0}, {near, far, near, far}, {1, 0, 0, 0}, {0, 0, 1, 0}};
    Matrix<double> const output = {{0.4975000208331250 + 5.024999791668750}, {101 * near + 1010 * far}, {1}, {100}};
    MultiHeadAttention<double> const result = attend<double>({query, key, value}, options);
    require_close(as_rows(result.weights.value()), weights, 1e-12);
    require_close(as_rows(result.output), output, 0, 1e-12);
    require_close(as_rows(attend<double>({query, key, value}, options, {}).output), output, 0, 1e-12);
}

TEST_CASE("a mask of 1 lets a query look in one batch, and inside out in another it gives other weights") {
    Tensor<double> query = make_tensor<double>({2, 1, 2, 2});
    Tensor<double> key = make_tensor<double>({2, 1, 2, 2});
    Tensor<std::uint8_t> mask = make_tensor<std::uint8_t>({2, 1, 2, 2});
    for (std::size_t b = 0; b < 2; ++b) {
        query(b, 0, 0, 0) = query(b, 0, 1, 1) = 1; // so that the scores are the key's columns
        key(b, 0, 0, 0) = key(b, 0, 0, 1) = 1;
        key(b, 0, 1, 0) = 5;
        key(b, 0, 1, 1) = 2;
        mask(b, 0, 0, 0) = mask(b, 0, 1, 0) = mask(b, 0, 1, 1) = b == 0 ? 1 : 0;
        mask(b, 0, 0, 1) = b == 0 ? 0 : 1;
    }
    MultiHeadOptions<double> options;
    options.scale = 1;
    options.mask = mask;
    require_close(as_rows(attend<double>({query, key, key}, options).weights.value()),
                  Matrix<double>{{1, 0}, {0.2689414213699951, 0.7310585786300049}, {0, 1}, {0, 0}}, 0, 1e-15);
}

TEMPLATE_TEST_CASE("a query that sees no key has weights and output of exactly 0, with stages and without", "", float,
                   double) {
    using T = TestType;
    Tensors<T> const tensors = rank_4<T>();
    Tensor<std::uint8_t> boolean = make_tensor<std::uint8_t>({2, 4, 3, 5});
    boolean.fill(1);
    Tensor<T> additive = make_tensor<T>({2, 4, 3, 5});
    Tensor<T> lowest = additive;
    for (std::size_t j = 0; j < 5; ++j) {
        boolean(1, 2, 1, j) = 0;
        additive(1, 2, 1, j) = T(-1e9);
        lowest(1, 2, 1, j) = std::numeric_limits<T>::lowest();
    }
    MultiHeadOptions<T> by_boolean;
    by_boolean.mask = boolean;
    MultiHeadOptions<T> by_addition;
    by_addition.mask = additive;
    MultiHeadOptions<T> by_lowest;
    by_lowest.mask = lowest;
    for (MultiHeadOptions<T> const& options : {by_boolean, by_addition, by_lowest}) {
        for (KeptStages const& keep : {all_stages, KeptStages{}}) {
            MultiHeadAttention<T> const result = attend(tensors, options, keep);
            require_equal(only_row(head_of(result.output, 1, 2), 1), make_matrix<T>(1, 7));
            CHECK(all_finite(as_rows(result.output)));
            if (result.weights) {
                require_equal(only_row(head_of(*result.weights, 1, 2), 1), make_matrix<T>(1, 5));
            }
        }
    }
    MultiHeadOptions<T> padded;
    padded.key_lengths = {0, 3};
    Tensor<T> const output = attend(tensors, padded, {}).output;
    for (std::size_t h = 0; h < 4; ++h) {
        require_equal(head_of(output, 0, h), make_matrix<T>(3, 7));
        CHECK(difference(head_of(output, 1, h), make_matrix<T>(3, 7)) != "");
    }
}

TEMPLATE_TEST_CASE("what hidden keys, their values and blind queries hold never reaches a result", "", float, double) {
    using T = TestType;
    Tensors<T> const clean = rank_4<T>();
    Tensor<std::uint8_t> boolean = make_tensor<std::uint8_t>({2, 1, 3, 5});
    boolean.fill(1);
    Tensor<T> additive = make_tensor<T>({2, 1, 3, 5});
    auto const hide = [&](std::size_t batch, std::size_t query, std::size_t key) {
        boolean(batch, 0, query, key) = 0;
        additive(batch, 0, query, key) = -std::numeric_limits<T>::infinity();
    };
    for (std::size_t i = 0; i < 3; ++i) {
        hide(1, i, 2); // from every query
    }
    for (std::size_t j = 0; j < 5; ++j) {
        hide(0, 1, j); // every key
    }
    MultiHeadOptions<T> by_boolean;
    by_boolean.mask = boolean;
    MultiHeadOptions<T> by_addition;
    by_addition.mask = additive;
    for (MultiHeadOptions<T> options : {by_boolean, by_addition}) {
        options.key_lengths = {4, 5};
        for (KeptStages const& keep : {all_stages, KeptStages{}}) {
            MultiHeadAttention<T> const expected = attend(clean, options, keep);
            for (double const poison : {not_a_number, infinity, -infinity}) {
                Tensors<T> poisoned = clean;
                for (std::size_t h = 0; h < 4; ++h) {
                    poisoned.key(1, h, 2, 3) = static_cast<T>(poison);
                    poisoned.value(1, h, 2, 0) = static_cast<T>(poison);
                    poisoned.query(0, h, 1, 4) = static_cast<T>(poison);
                    poisoned.key(0, h, 4, 0) = static_cast<T>(poison);
                    poisoned.value(0, h, 4, 6) = static_cast<T>(poison);
                }
                MultiHeadAttention<T> const found = attend(poisoned, options, keep);
                require_same(found.output, expected.output);
                if (keep.weights) {
                    require_same(found.masked.value(), expected.masked.value());
                    require_same(found.weights.value(), expected.weights.value());
                }
            }
        }
    }
}

TEST_CASE("a visible number that is not finite is refused, with its place in the tensor as it was given") {
    Tensors<double> const clean = rank_4();
    MultiHeadOptions<double> options;
    options.heads = 4;
    for (auto const& [poison, text] :
         {std::pair(not_a_number, "NaN"), {infinity, "infinity"}, {-infinity, "-infinity"}}) {
        std::string const is = std::string(" is ") + text + " at ";
        std::string const end = ", but what a query sees must be finite";
        Tensors<double> tensors = clean;
        tensors.value(1, 3, 4, 6) = poison;
        CHECK(refusal_of(tensors) == "value" + is + "(1, 3, 4, 6)" + end);
        tensors.key(0, 2, 1, 5) = poison;
        CHECK(refusal_of(tensors) == "key" + is + "(0, 2, 1, 5)" + end);
        tensors.query(1, 1, 2, 3) = poison;
        CHECK(refusal_of(tensors) == "query" + is + "(1, 1, 2, 3)" + end);
        CHECK(refusal_of<double>({side_by_side(tensors.query), clean.key, clean.value}).find("rank 3") !=
              std::string::npos);
        CHECK(refusal_of({side_by_side(tensors.query), side_by_side(tensors.key), side_by_side(tensors.value)},
                         options) == "query" + is + "(1, 2, 9)" + end);
    }
}

TEST_CASE("a shared key that one head hides and another sees must be finite") {
    Tensors<double> const tensors = rank_4();
    Tensors<double> grouped = {tensors.query, with_heads(tensors.key, {0, 1}), with_heads(tensors.value, {0, 1})};
    grouped.key(0, 1, 3, 2) = not_a_number;
    Tensor<std::uint8_t> mask = make_tensor<std::uint8_t>({4, 1, 5});
    mask.fill(1);
    MultiHeadOptions<double> options;
    options.mask = mask;
    mask(2, 0, 3) = 0;
    CHECK(refusal_of(grouped, options) == "key is NaN at (0, 1, 3, 2), but what a query sees must be finite");
    mask(3, 0, 3) = 0;
    CHECK(refusal_of(grouped, options) == "");
    CHECK(all_finite(as_rows(attend(grouped, options).output)));
}

TEST_CASE("a visible score that overflows is refused with batch, head, query and key, with stages and without") {
    Tensors<double> tensors = rank_4();
    tensors.query(1, 2, 1, 0) = 1e200;
    tensors.key(1, 2, 3, 0) = 1e200;
    std::string const sentence = "scores overflow to infinity at (1, 2, 1, 3), but a visible score must be finite";
    CHECK(!find_problem<double>(tensors.query, tensors.key, tensors.value, MultiHeadOptions<double>()));
    CHECK(thrown_by([&] { attend(tensors); }) == sentence);
    CHECK(thrown_by([&] { attend(tensors, {}, {}); }) == sentence);

    Matrix<double> const query = head_of(tensors.query, 1, 2);
    Matrix<double> const key = head_of(tensors.key, 1, 2);
    Matrix<double> const value = head_of(tensors.value, 1, 2);
    CHECK(thrown_by([&] { multi_head_attention<double>(query, key, value); }) ==
          "scores overflow to infinity at (1, 3), but a visible score must be finite");

    MultiHeadOptions<double> causal;
    causal.is_causal = true;
    CHECK(all_finite(as_rows(attend(tensors, causal, {}).output)));
}

TEST_CASE("no stage that nobody asked for is held whole") {
    std::size_t const tokens = 512;
    Tensors<float> const tensors = {scattered_tensor<float>({1, 1, tokens, 2}, 81),
                                    scattered_tensor<float>({1, 1, tokens, 2}, 82),
                                    scattered_tensor<float>({1, 1, tokens, 3}, 83)};
    std::size_t const stage = tokens * tokens; // a byte for each query and key
    largest_allocation = 0;
    attend(tensors, {}, {});
    CHECK(largest_allocation < stage / 8);
    largest_allocation = 0;
    attend(tensors, {}, KeptStages{false, false, false, true});
    CHECK(largest_allocation == stage * sizeof(float));
}

TEST_CASE("stages that many rows fill are the same as those of a few rows at a time") {
    std::size_t const tokens = 300;
    Matrix<float> const query = scattered<float>(tokens, 2, 84);
    Matrix<float> const key = scattered<float>(tokens + 1, 2, 85);
    Matrix<float> const value = scattered<float>(tokens + 1, 3, 86);
    MultiHeadAttention<float> const result = multi_head_attention<float>(query, key, value, {}, all_stages);
    Attention<float> const expected = scaled_dot_product_attention(query, key, value);
    require_equal(as_rows(result.scores.value()), expected.scores);
    require_equal(as_rows(result.weights.value()), expected.weights);
    require_equal(as_rows(result.output), expected.output);
}

TEST_CASE("shapes that do not belong together are refused by name, with what was found and expected") {
    auto const refuse = [](Shape const& query, Shape const& key, Shape const& value,
                           MultiHeadOptions<double> const& options = {}) {
        return refusal_of<double>({make_tensor<double>(query), make_tensor<double>(key), make_tensor<double>(value)},
                                  options);
    };
    MultiHeadOptions<double> six;
    six.heads = 6;
    MultiHeadOptions<double> six_and_three = six;
    six_and_three.key_value_heads = 3;

    CHECK(refuse({4}, {4}, {4}) == "query has shape (4), but must have rank 2, 3 or 4");
    CHECK(refuse({1, 2, 3, 4, 5}, {2, 3}, {2, 3}) == "query has shape (1, 2, 3, 4, 5), but must have rank 2, 3 or 4");
    CHECK(refuse({2, 3, 4, 8}, {2, 5, 24}, {2, 5, 24}) == "key has shape (2, 5, 24), but query has rank 4");
    CHECK(refuse({4, 8}, {5, 8}, {1, 5, 8}) == "value has shape (1, 5, 8), but query has rank 2");
    CHECK(refuse({2, 3, 0, 8}, {2, 3, 5, 8}, {2, 3, 5, 8}) ==
          "query has shape (2, 3, 0, 8), but every axis must be at least 1");
    CHECK(refuse({2, 3, 8}, {2, 0, 8}, {2, 0, 8}) == "key has shape (2, 0, 8), but every axis must be at least 1");
    CHECK(refuse({3, 8}, {5, 8}, {5, 0}) == "value has shape (5, 0), but every axis must be at least 1");

    CHECK(refuse({4, 8}, {5, 7}, {5, 6}) == "key has shape (5, 7), but query has d_k = 8");
    CHECK(refuse({2, 3, 4, 8}, {2, 3, 5, 7}, {2, 3, 5, 6}) == "key has shape (2, 3, 5, 7), but query has d_k = 8");
    CHECK(refuse({2, 3, 4, 8}, {1, 3, 5, 8}, {2, 3, 5, 6}) == "key has shape (1, 3, 5, 8), but query has 2 batches");
    CHECK(refuse({2, 4, 4, 8}, {2, 3, 5, 8}, {2, 3, 5, 6}) ==
          "key has shape (2, 3, 5, 8), but its 3 heads must divide query's 4");
    CHECK(refuse({2, 3, 4, 8}, {2, 6, 5, 8}, {2, 6, 5, 6}) ==
          "key has shape (2, 6, 5, 8), but its 6 heads must divide query's 3");
    CHECK(refuse({2, 3, 4, 8}, {2, 3, 5, 8}, {3, 3, 5, 6}) == "value has shape (3, 3, 5, 6), but key has 2 batches");
    CHECK(refuse({2, 3, 4, 8}, {2, 3, 5, 8}, {2, 1, 5, 6}) == "value has shape (2, 1, 5, 6), but key has 3 heads");
    CHECK(refuse({2, 3, 4, 8}, {2, 3, 5, 8}, {2, 3, 4, 6}) == "value has shape (2, 3, 4, 6), but key has 5 rows");
    CHECK(refuse({4, 8}, {5, 8}, {6, 8}) == "value has shape (6, 8), but key has 5 rows");

    CHECK(refuse({2, 4, 24}, {2, 5, 23}, {2, 5, 24}) == "key has shape (2, 5, 23), but query has d_k = 24");
    CHECK(refuse({2, 4, 24}, {2, 5, 9}, {2, 5, 12}, six) == "key has shape (2, 5, 9), but query has d_k = 4");
    CHECK(refuse({2, 4, 24}, {2, 5, 3}, {2, 5, 12}, six) == "key has shape (2, 5, 3), but query has d_k = 4");
    CHECK(refuse({2, 4, 24}, {2, 5, 24}, {2, 5, 12}, six_and_three) ==
          "key has shape (2, 5, 24), but query has d_k = 4");
    CHECK(refuse({2, 4, 24}, {2, 5, 12}, {2, 5, 13}, six) == "value has shape (2, 5, 13), but key has 3 heads");
    CHECK(refuse({2, 4, 24}, {2, 5, 16}, {2, 5, 16}, six) ==
          "key has shape (2, 5, 16), but its 4 heads must divide query's 6");
    CHECK(refuse({2, 4, 24}, {2, 5, 12}, {2, 5, 6}, six_and_three).empty());
}

TEST_CASE("heads that the tensors do not have are refused with both numbers") {
    auto const refuse = [](Shape const& query, Shape const& key, std::optional<std::size_t> heads,
                           std::optional<std::size_t> key_value_heads = {}) {
        MultiHeadOptions<double> options;
        options.heads = heads;
        options.key_value_heads = key_value_heads;
        return refusal_of<double>({make_tensor<double>(query), make_tensor<double>(key), make_tensor<double>(key)},
                                  options);
    };
    CHECK(refuse({1, 2, 5}, {1, 2, 5}, 2) == "heads is 2, but must divide query's width 5");
    CHECK(refuse({1, 2, 5}, {1, 2, 5}, 0) == "heads is 0, but must be at least 1");
    CHECK(refuse({1, 2, 6}, {1, 2, 6}, 2, 4) == "key_value_heads is 4, but must divide key's width 6");
    CHECK(refuse({1, 2, 6}, {1, 2, 6}, 2, 0) == "key_value_heads is 0, but must be at least 1");
    CHECK(refuse({1, 3, 2, 6}, {1, 3, 2, 6}, 2) == "heads is 2, but query with shape (1, 3, 2, 6) has 3");
    CHECK(refuse({1, 3, 2, 6}, {1, 3, 2, 6}, 3, 1) == "key_value_heads is 1, but key with shape (1, 3, 2, 6) has 3");
    CHECK(refuse({2, 6}, {2, 6}, 3) == "heads is 3, but query with shape (2, 6) has 1");
    CHECK(refuse({2, 6}, {2, 6}, 1, 1).empty());
    CHECK(refuse({1, 3, 2, 6}, {1, 3, 2, 6}, 3, 3).empty());
    CHECK(refuse({1, 2, 6}, {1, 2, 3}, 2, 1).empty());
}

TEST_CASE("options out of range, and offsets and lengths that are not one for each batch, are refused by name") {
    Tensors<double> const tensors = rank_4();
    auto const refuse = [&tensors](auto const& change) {
        MultiHeadOptions<double> options;
        change(options);
        return refusal_of(tensors, options);
    };
    using Options = MultiHeadOptions<double>;
    CHECK(refuse([](Options& options) { options.scale = infinity; }) == "scale is infinity, but must be finite");
    CHECK(refuse([](Options& options) { options.scale = not_a_number; }) == "scale is NaN, but must be finite");
    CHECK(refuse([](Options& options) { options.softcap = not_a_number; }) ==
          "softcap is NaN, but must be 0 (off) or positive");
    CHECK(refuse([](Options& options) { options.softcap = -2; }) ==
          "softcap is negative, but must be 0 (off) or positive");
    CHECK(refuse([](Options& options) { options.left_window = -2; }) ==
          "left_window is -2, but must be -1 (no limit), 0 or more");
    CHECK(refuse([](Options& options) { options.right_window = -3; }) ==
          "right_window is -3, but must be -1 (no limit), 0 or more");
    CHECK(refuse([](Options& options) {
              options.query_offset = Offsets{1, 2, 3};
          }) == "query_offset holds 3 numbers, but must hold one for each batch, here 2");
    CHECK(refuse([](Options& options) {
              options.query_offset = Offsets{1, farthest_offset + 1};
          }) == "query_offset is 536870913, but must be from -536870912 to 536870912");
    CHECK(refuse([](Options& options) { options.key_lengths = {3}; }) ==
          "key_lengths holds 1 numbers, but must hold one for each batch, here 2");
    CHECK(refuse([](Options& options) { options.key_lengths = Shape{}; }) ==
          "key_lengths holds 0 numbers, but must hold one for each batch, here 2");
    CHECK(refuse([](Options& options) {
              options.key_lengths = {3, 6};
          }) == "key_lengths is 6 for batch 1, but there are 5 keys");
    CHECK(refuse([](Options& options) {
              options.query_offset = Offsets{-farthest_offset, farthest_offset};
              options.is_causal = true;
              options.left_window = 3;
          }).empty());
}

TEST_CASE("a mask that does not broadcast, or is neither finite nor -infinity, is refused") {
    Tensors<double> const tensors = rank_4();
    Tensors<double> const matrices = {scattered_tensor({3, 6}, 1), scattered_tensor({5, 6}, 2),
                                      scattered_tensor({5, 7}, 3)};
    MultiHeadOptions<double> options;
    for (Shape const& shape : {Shape{3}, Shape{5, 3}, Shape{2, 3, 5}, Shape{4, 2, 3, 5}, Shape{2, 4, 3, 2}, Shape{0}}) {
        std::string text;
        for (std::size_t const length : shape) {
            text += (text.empty() ? "" : ", ") + std::to_string(length);
        }
        Tensor<double> const additive = make_tensor<double>(shape);
        Tensor<std::uint8_t> const boolean = make_tensor<std::uint8_t>(shape);
        std::string const start = "mask has shape (" + text + "), but must broadcast to ";
        options.mask = additive;
        CHECK(refusal_of(tensors, options) == start + "(batches, heads, n_query, n_key) = (2, 4, 3, 5)");
        options.mask = boolean;
        CHECK(refusal_of(tensors, options) == start + "(batches, heads, n_query, n_key) = (2, 4, 3, 5)");
        CHECK(refusal_of(matrices, options) == start + "(n_query, n_key) = (3, 5)");
    }
    Tensor<double> const five_axes = make_tensor<double>({1, 1, 1, 1, 1});
    options.mask = five_axes;
    CHECK(refusal_of(tensors, options) == "mask has shape (1, 1, 1, 1, 1), but must have rank 1, 2, 3 or 4");
    Tensor<std::uint8_t> const no_axis = make_tensor<std::uint8_t>({});
    options.mask = no_axis;
    CHECK(refusal_of(tensors, options) == "mask has shape (), but must have rank 1, 2, 3 or 4");

    for (auto const& [wrong, text] : {std::pair(not_a_number, "NaN"), {infinity, "infinity"}}) {
        Tensor<double> mask = scattered_tensor({2, 1, 3, 5}, 4);
        mask(1, 0, 2, 3) = wrong;
        options.mask = mask;
        CHECK(refusal_of(tensors, options) ==
              std::string("mask is ") + text + " at (1, 0, 2, 3), but must be finite, or -infinity to hide");
    }
}
