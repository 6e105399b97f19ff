#include "lesson.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "axpy.hpp"

namespace attention {
namespace {

/// Small whole numbers; no two of X, W_q, W_k, W_v are alike, none is symmetric, and no two tokens score alike.
Matrix<double> four_token_embeddings() {
    return {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
}

ProjectionWeights four_token_weights() {
    return {{{1, 1}, {0, 1}}, {{1, 0}, {1, 1}}, {{0, 2}, {1, 0}}};
}

Matrix<double> identity_matrix(std::size_t size) {
    Matrix<double> identity = make_matrix<double>(size, size);
    for (std::size_t i = 0; i < size; ++i) {
        identity(i, i) = 1;
    }
    return identity;
}

Matrix<double> embeddings_for(LessonState const& state) {
    return state.preset == Preset::four_token ? four_token_embeddings()
                                              : seeded_embeddings(state.tokens, state.d_model, state.seed);
}

/// Those of the state's head.
ProjectionWeights weights_for(LessonState const& state) {
    if (state.projections == ProjectionMode::identity) {
        Matrix<double> const identity = identity_matrix(state.d_model);
        return {identity, identity, identity};
    }
    ProjectionWeights weights = state.preset == Preset::four_token
                                    ? four_token_weights()
                                    : seeded_weights(state.d_model, state.d_k, state.d_v, state.seed, state.head);
    if (state.projections == ProjectionMode::shared) {
        weights.W_k = weights.W_q;
        weights.W_v = weights.W_q;
    }
    return weights;
}

Worksheet worksheet(Lesson const& lesson, Softmax<double> const& softmax, LessonState const& state) {
    std::size_t const n_key = lesson.K.shape(0);
    std::size_t const d_k = lesson.K.shape(1);
    Matrix<double> const& blended = state.blend == Blend::values ? lesson.V : lesson.X;
    std::size_t const d_v = blended.shape(1);
    std::size_t const i = state.row;
    Worksheet sheet{make_matrix<double>(n_key, d_k), make_vector<double>(n_key), make_vector<double>(n_key),
                    make_vector<double>(n_key),      make_vector<double>(n_key), make_matrix<double>(n_key, d_v)};
    for (std::size_t j = 0; j < n_key; ++j) {
        std::size_t const line = state.softmax_axis == SoftmaxAxis::keys ? i : j;
        double* const products = row_of(sheet.products, j);
        double const* const q = row_of(lesson.Q, i);
        double const* const k = row_of(lesson.K, j);
        for (std::size_t c = 0; c < d_k; ++c) {
            products[c] = q[c] * k[c];
        }
        sheet.subtracted(j) = softmax.reference(line);
        sheet.shifted(j) = lesson.masked(i, j) - softmax.reference(line);
        sheet.exponentials(j) = softmax.exponentials(i, j);
        sheet.totals(j) = softmax.total(line);
        double* const contributions = row_of(sheet.contributions, j);
        double const* const v = row_of(blended, j);
        double const weight = lesson.weights(i, j);
        bool const is_visible = lesson.visible(i, j) != 0;
        for (std::size_t c = 0; c < d_v; ++c) {
            contributions[c] = is_visible ? weight * v[c] : 0;
        }
    }
    return sheet;
}

template <class Enum> struct Name {
    char const* name;
    Enum value;
};

template <class Enum, std::size_t n>
Enum parse(char const* argument, std::string const& text, Name<Enum> const (&names)[n]) {
    std::string expected;
    for (std::size_t index = 0; index < n; ++index) {
        if (text == names[index].name) {
            return names[index].value;
        }
        expected += (index == 0 ? "" : index + 1 == n ? " or " : ", ") + std::string(names[index].name);
    }
    raise(describe_problem(argument, {"is \"", text, "\""}, {"must be ", expected}));
}

} // namespace

std::uint32_t const default_seed = 2958;

LessonState::LessonState() : seed(default_seed) {}

double divisor_value(Divisor divisor, std::size_t d_k) {
    switch (divisor) {
    case Divisor::sqrt:
        return std::sqrt(static_cast<double>(d_k));
    case Divisor::none:
        return 1;
    case Divisor::dk:
        return static_cast<double>(d_k);
    }
    return 1;
}

LayerSettings layer_settings(LessonState const& state) {
    LayerSettings settings;
    settings.divisor = divisor_value(state.divisor, state.d_k);
    settings.mask = state.mask;
    settings.projections = state.projections;
    settings.softmax_axis = state.softmax_axis;
    settings.softmax = state.softmax;
    settings.blend = state.blend;
    settings.heads = state.heads;
    return settings;
}

LessonState four_token_state() {
    LessonState state;
    state.preset = Preset::four_token;
    state.tokens = {"one", "two", "three", "four"};
    state.d_model = state.d_k = state.d_v = 2;
    state.mask = LessonMask::causal;
    return state;
}

Problem find_problem(LessonState const& state) {
    Requirements requirements;
    auto const between = [&](char const* name, std::size_t value, std::size_t least, std::size_t most) {
        requirements.require(value >= least && value <= most, name, {"is ", value},
                             {"must be a whole number from ", least, " to ", most});
    };
    auto const as_wide = [&](char const* reason, char const* name, std::size_t value, char const* other_name,
                             std::size_t other) {
        requirements.require(value == other, name, {"is ", value},
                             {reason, " needs it to equal ", other_name, " = ", other});
    };

    std::size_t const n = state.tokens.size();
    requirements.require(n != 0, "tokens", {"is empty"}, {"must hold at least one token"});
    requirements.require(n <= maximum_tokens, "tokens", {"holds ", n, " tokens"},
                         {"must hold at most ", maximum_tokens});
    between("d_model", state.d_model, 1, maximum_width);
    between("d_k", state.d_k, 1, maximum_width);
    between("d_v", state.d_v, 1, maximum_width);
    between("heads", state.heads, 1, maximum_heads);
    between("head", state.head, 0, state.heads - 1);
    between("row", state.row, 0, n - 1);
    if (state.projections == ProjectionMode::shared) {
        as_wide("one shared matrix", "d_v", state.d_v, "d_k", state.d_k);
    }
    if (state.projections == ProjectionMode::identity) {
        as_wide("attention without projections", "d_k", state.d_k, "d_model", state.d_model);
        as_wide("attention without projections", "d_v", state.d_v, "d_model", state.d_model);
        requirements.require(state.heads == 1, "heads", {"is ", state.heads}, {"attention without projections has 1"});
    }
    if (state.preset == Preset::four_token) {
        requirements.require(n == 4, "tokens", {"holds ", n, " tokens"}, {"the preset four-token has exactly 4"});
        requirements.require(state.heads == 1, "heads", {"is ", state.heads}, {"the preset four-token has 1"});
        requirements.require(state.d_model == 2, "d_model", {"is ", state.d_model}, {"the preset four-token has 2"});
        requirements.require(state.d_k == 2, "d_k", {"is ", state.d_k}, {"the preset four-token has 2"});
        requirements.require(state.d_v == 2, "d_v", {"is ", state.d_v}, {"the preset four-token has 2"});
    }
    return requirements.first_problem();
}

Lesson lesson(LessonState const& state) {
    require_none([&] { return find_problem(state); });
    return lesson_on(embeddings_for(state), state);
}

Lesson lesson_on(Matrix<double> const& X, LessonState const& state) {
    require_none([&] { return find_problem(state); });
    require_none([&] {
        std::size_t const n = state.tokens.size();
        return problem_unless(X.shape(0) == n && X.shape(1) == state.d_model, "X", {"has shape ", shape_of(X)},
                              {"the state asks for (T, d_model) = ", Part(n, state.d_model)});
    });
    bool const is_random = state.preset == Preset::sentence && state.projections == ProjectionMode::separate;
    LayerSettings settings = layer_settings(state);
    settings.heads = 1;
    ProjectionWeights weights = weights_for(state);
    LayerPass pass = layer_pass(X, weights, settings);
    HeadPass& head = pass.heads.front();
    Lesson lesson;
    lesson.X = X;
    lesson.visible = std::move(pass.visible);
    lesson.divisor = settings.divisor;
    lesson.spread = score_spread(head.scaled, pass.seen);
    lesson.W_q = std::move(weights.W_q);
    lesson.W_k = std::move(weights.W_k);
    lesson.W_v = std::move(weights.W_v);
    lesson.Q = std::move(head.Q);
    lesson.K = std::move(head.K);
    lesson.V = std::move(head.V);
    lesson.scores = std::move(head.scores);
    lesson.scaled = std::move(head.scaled);
    lesson.masked = std::move(head.masked);
    lesson.weights = std::move(head.weights);
    lesson.output = std::move(pass.output);
    if (is_random) {
        lesson.expected_spread = std::sqrt(static_cast<double>(state.d_k)) / lesson.divisor;
    }
    lesson.rows = row_metrics(lesson.weights, lesson.visible);
    lesson.worksheet = worksheet(lesson, head.softmax, state);
    return lesson;
}

Layer layer(LessonState const& state) {
    require_none([&] { return find_problem(state); });
    Layer layer;
    layer.X = embeddings_for(state);
    layer.weights.W_q = make_matrix<double>(state.d_model, state.heads * state.d_k);
    layer.weights.W_k = layer.weights.W_q;
    layer.weights.W_v = make_matrix<double>(state.d_model, state.heads * state.d_v);
    LessonState of_head = state;
    for (of_head.head = 0; of_head.head < state.heads; ++of_head.head) {
        ProjectionWeights const weights = weights_for(of_head);
        join_head(layer.weights.W_q, state.heads, of_head.head, weights.W_q);
        join_head(layer.weights.W_k, state.heads, of_head.head, weights.W_k);
        join_head(layer.weights.W_v, state.heads, of_head.head, weights.W_v);
    }
    layer.pass = layer_pass(layer.X, layer.weights, layer_settings(state));
    layer.average = make_matrix<double>(layer.X.shape(0), layer.X.shape(0));
    for (HeadPass const& head : layer.pass.heads) {
        axpy(layer.average.size(), 1 / static_cast<double>(state.heads), head.weights.data(), layer.average.data());
    }
    return layer;
}

Preset parse_preset(std::string const& name) {
    return parse<Preset>("preset", name, {{"sentence", Preset::sentence}, {"four-token", Preset::four_token}});
}

Divisor parse_divisor(std::string const& name) {
    return parse<Divisor>("divisor", name, {{"sqrt", Divisor::sqrt}, {"none", Divisor::none}, {"dk", Divisor::dk}});
}

LessonMask parse_mask(std::string const& name) {
    return parse<LessonMask>("mask", name,
                             {{"none", LessonMask::none}, {"causal", LessonMask::causal}, {"late", LessonMask::late}});
}

ProjectionMode parse_projections(std::string const& name) {
    return parse<ProjectionMode>("projections", name,
                                 {{"separate", ProjectionMode::separate},
                                  {"shared", ProjectionMode::shared},
                                  {"identity", ProjectionMode::identity}});
}

SoftmaxAxis parse_softmax_axis(std::string const& name) {
    return parse<SoftmaxAxis>("softmax_axis", name, {{"keys", SoftmaxAxis::keys}, {"queries", SoftmaxAxis::queries}});
}

SoftmaxForm parse_softmax(std::string const& name) {
    return parse<SoftmaxForm>("softmax", name, {{"stable", SoftmaxForm::stable}, {"naive", SoftmaxForm::naive}});
}

Blend parse_blend(std::string const& name) {
    return parse<Blend>("blend", name, {{"values", Blend::values}, {"embeddings", Blend::embeddings}});
}

} // namespace attention
