#include "lesson.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <utility>

#include "attention.hpp"
#include "axpy.hpp"

namespace attention {
namespace {

Matrix<double> rows_of_two(std::initializer_list<double> entries) {
    Matrix<double> matrix = make_matrix<double>(entries.size() / 2, 2);
    std::copy(entries.begin(), entries.end(), matrix.data());
    return matrix;
}

/// Small whole numbers; no two of X, W_q, W_k, W_v are alike, none is symmetric, and no two tokens score alike.
Matrix<double> four_token_embeddings() {
    return rows_of_two({1, 0, 0, 1, 1, 1, 1, -1});
}

ProjectionWeights four_token_weights() {
    return {rows_of_two({1, 1, 0, 1}), rows_of_two({1, 0, 1, 1}), rows_of_two({0, 2, 1, 0})};
}

Matrix<double> identity_matrix(std::size_t size) {
    Matrix<double> identity = make_matrix<double>(size, size);
    for (std::size_t i = 0; i < size; ++i) {
        row_of(identity, i)[i] = 1;
    }
    return identity;
}

/// (d_model, count): a matrix that picks `count` columns out of X, from `first` on.
Matrix<double> picking(std::size_t d_model, std::size_t first, std::size_t count) {
    Matrix<double> matrix = make_matrix<double>(d_model, count);
    for (std::size_t i = 0; i < count; ++i) {
        row_of(matrix, first + i)[i] = 1;
    }
    return matrix;
}

/// Writes a state's edits of a matrix into a head's columns of it.
void edit(Matrix<double>& matrix, LessonState const& state, OwnMatrix own, std::size_t head) {
    for (MatrixEdit const& edit : state.edits) {
        if (edit.matrix == own && edit.head == head) {
            row_of(matrix, edit.row)[edit.column] = edit.value;
        }
    }
}

bool is_edited(LessonState const& state, OwnMatrix own) {
    return std::any_of(state.edits.begin(), state.edits.end(),
                       [own](MatrixEdit const& edit) { return edit.matrix == own; });
}

/// Whether a matrix makes values alone, and no scores.
bool makes_values(OwnMatrix own) {
    return own == OwnMatrix::W_v || own == OwnMatrix::b_v;
}

ProjectionWeights weights_for(LessonState const& state, std::size_t head) {
    if (state.projections == ProjectionMode::identity) {
        Matrix<double> const identity = identity_matrix(state.d_model);
        return {identity, identity, identity};
    }
    ProjectionWeights weights = state.preset == Preset::four_token
                                    ? four_token_weights()
                                    : seeded_weights(state.d_model, state.d_k, state.d_v, state.seed, head);
    auto const take = [&](Matrix<double>& usual, Matrix<double> const& own, OwnMatrix matrix) {
        if (!has_part(state, matrix)) {
            return; // nobody has checked its numbers
        }
        if (own.size() != 0) {
            usual = split_head(own, state.heads, head);
        }
        if (usual.size() == 0 && is_edited(state, matrix)) { // a bias of zeros, in every head
            usual = make_matrix<double>(1, matrix == OwnMatrix::b_v ? state.d_v : state.d_k);
        }
        edit(usual, state, matrix, head);
    };
    take(weights.W_q, state.W_q, OwnMatrix::W_q);
    take(weights.W_k, state.W_k, OwnMatrix::W_k);
    take(weights.W_v, state.W_v, OwnMatrix::W_v);
    take(weights.b_q, state.b_q, OwnMatrix::b_q);
    take(weights.b_k, state.b_k, OwnMatrix::b_k);
    take(weights.b_v, state.b_v, OwnMatrix::b_v);
    if (state.projections == ProjectionMode::shared) {
        weights.W_k = weights.W_q;
        weights.W_v = weights.W_q;
        weights.b_k = weights.b_q;
        weights.b_v = weights.b_q;
    }
    return weights;
}

/// An enumerator as texts write it: "four_token" is "four-token".
std::string with_dashes(std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

template <class Choice> Choice parse(char const* argument, std::string const& text) {
    std::vector<std::string> names;
#define CHOICE(Type, enumerator, note)                                                                                 \
    if constexpr (std::is_same_v<Type, Choice>) {                                                                      \
        names.push_back(with_dashes(#enumerator));                                                                     \
        if (text == names.back()) {                                                                                    \
            return Type::enumerator;                                                                                   \
        }                                                                                                              \
    }
#include "settings.def"
    std::string expected;
    for (std::size_t index = 0; index < names.size(); ++index) {
        expected += (index == 0 ? "" : index + 1 == names.size() ? " or " : ", ") + names[index];
    }
    throw_problem(describe_problem(argument, {"is \"", text, "\""}, {"must be ", expected}));
}

/// The words of a text.
std::vector<std::string> words(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t first = 0; first < text.size();) {
        std::size_t const end = std::min(text.find(' ', first), text.size());
        words.emplace_back(text.substr(first, end - first));
        first = end + 1;
    }
    return words;
}

/// Where a choice stands among the lines of its type.
template <class Choice> constexpr std::size_t place_of(Choice choice) {
    std::size_t place = 0;
    bool is_found = false;
#define CHOICE(Type, enumerator, note)                                                                                 \
    if constexpr (std::is_same_v<Type, Choice>) {                                                                      \
        is_found = is_found || choice == Type::enumerator;                                                             \
        place += is_found ? 0 : 1;                                                                                     \
    }
#include "settings.def"
    return place;
}

// A choice crosses to JavaScript as its place among the lines.
#define CHOICE(Type, enumerator, note)                                                                                 \
    static_assert(place_of(Type::enumerator) == static_cast<std::size_t>(Type::enumerator),                            \
                  "settings.def lists choices in the order of their enumerators");
#include "settings.def"

} // namespace

std::vector<std::string> default_tokens() {
#define SETTING_TOKENS(field, initial, meaning)                                                                        \
    if (!std::string_view(initial).empty()) {                                                                          \
        return words(initial);                                                                                         \
    }
#include "settings.def"
    return {};
}

LessonState::LessonState() : LessonState(default_tokens()) {}

LessonState::LessonState(std::vector<std::string> texts) : tokens(std::move(texts)) {}

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
    return layer_settings(state, key_count(state));
}

LayerSettings layer_settings(LessonState const& state, std::size_t n_key) {
    LayerSettings settings;
    settings.divisor = divisor_value(state.divisor, state.d_k);
    settings.mask = state.mask;
    settings.projections = state.projections;
    settings.softmax_axis = state.softmax_axis;
    settings.softmax = state.softmax;
    settings.blend = state.blend;
    settings.heads = state.heads;
    settings.dropout = state.dropout;
    settings.seed = state.seed;
    settings.window = state.window;
    if (state.padding != 0) {
        settings.key_length = n_key - state.padding;
    }
    return settings;
}

LessonState four_token_state() {
    LessonState state{std::vector<std::string>()};
    state.preset = Preset::four_token;
#define FOUR_TOKEN(field, value) state.field = value;
#define FOUR_TOKEN_CHOICE(field, value) state.field = decltype(state.field)::value;
#define FOUR_TOKEN_TOKENS(field, value) state.field = words(value);
#include "settings.def"
#define SETTING_FOLLOWING(field, leader, least, most, meaning) state.field = state.leader;
#include "settings.def"
    return state;
}

Problem find_problem(Matrix<double> const& Q, Matrix<double> const& K, Matrix<double> const& V) {
    std::size_t const n = Q.shape(0);
    Requirements requirements;
    for (auto const& [name, matrix] : {std::pair("Q", &Q), {"K", &K}, {"V", &V}}) {
        requirements.require(matrix->size() != 0, name, {"is empty"}, {"Q, K and V are given together"});
        requirements.require(matrix->shape(0) == n, name, {"has ", matrix->shape(0), " rows"},
                             {"must have as many as Q, ", n});
    }
    requirements.require(K.shape(1) == Q.shape(1), "K", {"has ", K.shape(1), " columns"},
                         {"must have as many as Q, ", Q.shape(1)});
    return requirements.first_problem();
}

void set_projections(LessonState& state, Matrix<double> const& Q, Matrix<double> const& K, Matrix<double> const& V) {
    throw_if_problem([&] { return find_problem(Q, K, V); });
    std::size_t const n = Q.shape(0);
    state.d_model = Q.shape(1) + K.shape(1) + V.shape(1);
    state.d_k = Q.shape(1) / state.heads;
    state.d_v = V.shape(1) / state.heads;
    state.projections = ProjectionMode::separate;
    state.X = make_matrix<double>(n, state.d_model);
    std::size_t first = 0;
    for (auto const& [projection, W] : {std::pair(&Q, &state.W_q), {&K, &state.W_k}, {&V, &state.W_v}}) {
        std::size_t const count = projection->shape(1);
        for (std::size_t i = 0; i < n; ++i) {
            std::copy_n(row_of(*projection, i), count, row_of(state.X, i) + first);
        }
        *W = picking(state.d_model, first, count);
        first += count;
    }
    state.b_q = state.b_k = state.b_v = {};
}

Problem find_problem(LessonState const& state) {
    Requirements requirements;
    auto const as_wide = [&](char const* reason, char const* name, std::size_t value, char const* other_name,
                             std::size_t other) {
        requirements.require(value == other, name, {"is ", value},
                             {reason, " needs it to equal ", other_name, " = ", other});
    };
    auto const has = [&](char const* owner, std::size_t expected, char const* name, std::size_t value) {
        requirements.require(value == expected, name, {"is ", value}, {owner, " has ", expected});
    };

    auto const require_own = [&](OwnMatrix matrix, char const* name, Matrix<double> const& own, char const* shape,
                                 std::size_t rows, std::size_t heads, std::size_t width) {
        if (!has_part(state, matrix)) {
            return;
        }
        std::size_t const columns = heads * width;
        if (own.size() != 0) {
            requirements.require(own.shape(0) == rows && own.shape(1) == columns, name, {"has shape ", shape_of(own)},
                                 {"the state asks for ", shape, " = ", MessagePart(rows, columns)});
            auto const* const wrong = std::find_if_not(own.data(), own.data() + own.size(),
                                                       [](double entry) { return std::isfinite(entry); });
            auto const place = static_cast<std::size_t>(wrong - own.data());
            requirements.require(place == own.size(), name,
                                 {"is not finite at ", MessagePart(place / own.shape(1), place % own.shape(1))},
                                 {"must hold finite numbers"});
        }
        for (MatrixEdit const& edit : state.edits) {
            if (edit.matrix != matrix) {
                continue;
            }
            requirements.require(edit.head < heads, "edits", {"change ", name, " of head ", edit.head},
                                 {name, " has ", heads, " of them"});
            requirements.require(edit.row < rows && edit.column < width, "edits",
                                 {"change ", name, " at ", MessagePart(edit.row, edit.column)},
                                 {name, " has shape ", MessagePart(rows, width)});
            requirements.require(std::isfinite(edit.value), "edits",
                                 {"change ", name, " at ", MessagePart(edit.row, edit.column), " to ", edit.value},
                                 {"must be finite numbers"});
        }
    };

    std::size_t const n = state.tokens.size();
    requirements.require(n != 0, "tokens", {"is empty"}, {"must hold at least one token"});
    requirements.require(n <= maximum_tokens, "tokens", {"holds ", n, " tokens"},
                         {"must hold at most ", maximum_tokens});
    std::size_t const n_key = key_count(state);
    requirements.require(n_key <= maximum_tokens, "context", {"holds ", n_key, " tokens"},
                         {"must hold at most ", maximum_tokens});
#define SETTING_WHOLE(field, Type, least, most, initial, meaning)                                                      \
    requirements.require_between(least, most, #field, state.field);
#define SETTING_NUMBER(field, least, below, initial, meaning)                                                          \
    requirements.require(state.field >= (least) && state.field < (below), #field,                                      \
                         {state.field < (least)    ? MessagePart("is too small")                                       \
                          : state.field >= (below) ? MessagePart("is too large")                                       \
                                                   : MessagePart("is NaN")},                                           \
                         {"must be at least ", least, " and less than ", below});
#define SETTING_FOLLOWING(field, leader, least, most, meaning)                                                         \
    requirements.require_between(least, most, #field, state.field);
#include "settings.def"
    std::size_t const entries = n * n_key;
    std::size_t const most = maximum_tokens * maximum_tokens;
    if (state.context.empty()) {
        requirements.require(entries * state.heads <= most, "heads", {"is ", state.heads},
                             {"with ", n, " tokens must be at most ", most / std::max<std::size_t>(1, entries)});
    } else {
        requirements.require(
            entries * state.heads <= most, "heads", {"is ", state.heads},
            {"with ", n, " × ", n_key, " tokens must be at most ", most / std::max<std::size_t>(1, entries)});
    }
    requirements.require_between(0, state.heads - 1, "head", state.head);
    requirements.require_between(0, n - 1, "row", state.row);
    requirements.require_between(0, n_key - 1, "padding", state.padding);
#define SETTING_MATRIX(field, shape, rows, heads, width, meaning)                                                      \
    require_own(OwnMatrix::field, #field, state.field, shape, rows, heads, width);
#include "settings.def"
    if (state.projections == ProjectionMode::shared) {
        as_wide("one shared matrix", "d_v", state.d_v, "d_k", state.d_k);
    }
    if (state.projections == ProjectionMode::identity) {
        char const* const without = "attention without projections";
        as_wide(without, "d_k", state.d_k, "d_model", state.d_model);
        as_wide(without, "d_v", state.d_v, "d_model", state.d_model);
        has(without, 1, "heads", state.heads);
    }
    if (state.preset == Preset::four_token) {
        requirements.require(n == 4, "tokens", {"holds ", n, " tokens"}, {"the preset four-token has exactly 4"});
        requirements.require(state.context.empty(), "context", {"holds ", n_key, " tokens"},
                             {"the preset four-token has none"});
        has("the preset four-token", 1, "heads", state.heads);
        has("the preset four-token", 2, "d_model", state.d_model);
        has("the preset four-token", 2, "d_k", state.d_k);
        has("the preset four-token", 2, "d_v", state.d_v);
    }
    return requirements.first_problem();
}

bool has_part(LessonState const& state, OwnMatrix own) {
    bool const is_shared = state.projections == ProjectionMode::shared;
    return own == OwnMatrix::X || state.projections == ProjectionMode::separate ||
           (is_shared && (own == OwnMatrix::W_q || own == OwnMatrix::b_q));
}

bool are_scores_seeded(LessonState const& state) {
    std::size_t const given =
        state.X.size() + state.W_q.size() + state.W_k.size() + state.b_q.size() + state.b_k.size();
    return state.preset == Preset::sentence && given == 0 &&
           std::all_of(state.edits.begin(), state.edits.end(),
                       [](MatrixEdit const& edit) { return makes_values(edit.matrix); });
}

Matrix<double> embeddings_for(LessonState const& state) {
    Matrix<double> X = state.X.size() != 0 ? state.X
                       : state.preset == Preset::four_token
                           ? four_token_embeddings()
                           : seeded_embeddings(state.tokens, state.d_model, state.seed);
    edit(X, state, OwnMatrix::X, 0);
    return X;
}

Matrix<double> context_for(LessonState const& state) {
    return state.context.empty() ? Matrix<double>() : seeded_embeddings(state.context, state.d_model, state.seed, true);
}

std::size_t key_count(LessonState const& state) {
    return state.context.empty() ? state.tokens.size() : state.context.size();
}

Lesson lesson(LessonState const& state) {
    throw_if_problem([&] { return find_problem(state); });
    return lesson_on(embeddings_for(state), state);
}

Lesson lesson_on(Matrix<double> const& X, LessonState const& state) {
    return lesson_on(X, state, state.divisor);
}

Lesson lesson_on(Matrix<double> const& X, LessonState const& state, Divisor divisor) {
    return lesson_on(X, context_for(state), state, divisor);
}

Lesson lesson_on(Matrix<double> const& X, Matrix<double> const& context, LessonState const& state, Divisor divisor) {
    throw_if_problem([&] { return find_problem(state); });
    throw_if_problem([&] {
        std::size_t const n = state.tokens.size();
        return problem_unless(X.shape(0) == n && X.shape(1) == state.d_model, "X", {"has shape ", shape_of(X)},
                              {"the state asks for (T, d_model) = ", MessagePart(n, state.d_model)});
    });
    throw_if_problem([&] {
        std::size_t const n = state.context.size();
        bool const fits = context.shape(0) == n && (n == 0 || context.shape(1) == state.d_model);
        return problem_unless(fits, "context", {"has shape ", shape_of(context)},
                              {"the state asks for (T_k, d_model) = ", MessagePart(n, state.d_model)});
    });
    Matrix<double> const& source = keys_source(X, context);
    Lesson lesson;
    lesson.X = X;
    lesson.context = context;
    static_cast<ProjectionWeights&>(lesson) = weights_for(state, state.head);
    lesson.Q = projected(X, lesson.W_q, lesson.b_q);
    lesson.K = projected(source, lesson.W_k, lesson.b_k);
    lesson.V = projected(source, lesson.W_v, lesson.b_v);
    lesson.divisor = divisor_value(divisor, state.d_k);
    Matrix<double> const& blended = state.blend == Blend::values ? lesson.V : source;
    complete_rows(lesson, blended, 0, state, lesson.divisor);
    lesson.spread = lesson.spread_so_far.deviation();
    if (lesson.spread_so_far.scores > 1) {
        lesson.expected_spread = expected_spread(state, lesson.divisor);
    }
    lesson.worksheet = worksheet({row_of(lesson.Q, state.row), lesson.K, row_of(lesson.masked, state.row),
                                  row_of(lesson.weights, state.row), blended, lesson.softmax.reference.data(),
                                  lesson.softmax.total.data()},
                                 state);
    return lesson;
}

void complete_rows(LessonRows& lesson_rows, Matrix<double> const& blended, std::ptrdiff_t query_offset,
                   LessonState const& state, double divisor) {
    LayerSettings settings = layer_settings(state);
    settings.divisor = divisor;
    Sight sight = sight_of(settings, lesson_rows.Q.shape(0), lesson_rows.K.shape(0), query_offset);
    lesson_rows.visible = std::move(sight.visible);
    Visibility const& softmax_sees = sight.softmax_sees;
    attend(lesson_rows, lesson_rows.visible, softmax_sees, settings, state.head, query_offset);
    lesson_rows.output = blend_values(lesson_rows.weights, blended, lesson_rows.visible);
    lesson_rows.rows = row_metrics(lesson_rows, lesson_rows.visible, softmax_sees, settings, state.tokens.size());
    lesson_rows.spread_so_far = add_rows(lesson_rows.spread_so_far, lesson_rows.scaled, softmax_sees);
}

std::optional<double> expected_spread(LessonState const& state, double divisor) {
    if (!are_scores_seeded(state) || state.projections != ProjectionMode::separate) {
        return {};
    }
    return std::sqrt(static_cast<double>(state.d_k)) / divisor;
}

Worksheet worksheet(HighlightedRow const& row, LessonState const& state) {
    std::size_t const n_key = row.K.shape(0);
    std::size_t const d_k = row.K.shape(1);
    std::size_t const d_v = row.blended.shape(1);
    Visibility const visible =
        sight_of(layer_settings(state, n_key), 1, n_key, static_cast<std::ptrdiff_t>(state.row)).visible;
    Worksheet sheet{make_matrix<double>(n_key, d_k), make_vector<double>(n_key), make_vector<double>(n_key),
                    make_vector<double>(n_key),      make_vector<double>(n_key), make_matrix<double>(n_key, d_v)};
    for (std::size_t j = 0; j < n_key; ++j) {
        std::size_t const line = state.softmax_axis == SoftmaxAxis::keys ? state.row : j;
        double* const products = row_of(sheet.products, j);
        double const* const k = row_of(row.K, j);
        for (std::size_t c = 0; c < d_k; ++c) {
            products[c] = row.q[c] * k[c];
        }
        double const shifted = row.masked[j] - row.reference[line];
        sheet.subtracted.data()[j] = row.reference[line];
        sheet.shifted.data()[j] = shifted;
        sheet.exponentials.data()[j] = exponential_in(state.softmax, shifted);
        sheet.totals.data()[j] = row.total[line];
        double* const contributions = row_of(sheet.contributions, j);
        double const* const v = row_of(row.blended, j);
        for (std::size_t c = 0; c < d_v; ++c) {
            contributions[c] = visible.data()[j] != 0 ? row.weights[j] * v[c] : 0;
        }
    }
    return sheet;
}

void add_to_average(Matrix<double>& average, Matrix<double> const& weights, std::size_t heads) {
    axpy(average.size(), 1 / static_cast<double>(heads), weights.data(), average.data());
}

Layer layer(LessonState const& state) {
    throw_if_problem([&] { return find_problem(state); });
    Matrix<double> X = embeddings_for(state);
    Matrix<double> context = context_for(state);
    ProjectionWeights weights;
    for (std::size_t head = 0; head < state.heads; ++head) {
        ProjectionWeights const of_head = weights_for(state, head);
        for (auto const part : weight_parts) {
            Matrix<double> const& own = of_head.*part;
            if (own.size() == 0) {
                continue; // no bias
            }
            if (head == 0) {
                weights.*part = make_matrix<double>(own.shape(0), state.heads * own.shape(1));
            }
            join_head(weights.*part, state.heads, head, own);
        }
    }
    LayerPass pass = layer_pass(X, weights, layer_settings(state), context);
    Matrix<double> average = make_matrix<double>(X.shape(0), key_count(state));
    for (HeadPass const& head : pass.heads) {
        add_to_average(average, head.weights, state.heads);
    }
    return {std::move(X), std::move(context), std::move(weights), std::move(pass), std::move(average)};
}

#define SETTING_CHOICE(field, Type, initial, meaning)                                                                  \
    Type parse_##field(std::string const& name) {                                                                      \
        return parse<Type>(#field, name);                                                                              \
    }
#include "settings.def"

} // namespace attention
