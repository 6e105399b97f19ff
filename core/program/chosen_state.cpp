#include "chosen_state.hpp"

#include <map>

namespace attention {
namespace {

bool is_upper(char letter) {
    return letter >= 'A' && letter <= 'Z';
}

/// The lengths that given matrices decide, by the expressions of settings.def: the first matrix that has a part
/// decides.
std::map<std::string, std::size_t> decided_lengths(LessonState const& state) {
    std::map<std::string, std::size_t> decided;
    auto const decide = [&](Matrix<double> const& own, char const* row_length, char const* width, std::size_t count) {
        decided.emplace(row_length, own.shape(0));
        if (count != 0 && own.shape(1) % count == 0) {
            decided.emplace(width, own.shape(1) / count);
        }
    };
#define SETTING_MATRIX(field, shape, rows, heads, width, meaning)                                                      \
    if (state.field.size() != 0 && has_part(state, OwnMatrix::field)) {                                                \
        decide(state.field, #rows, #width, heads);                                                                     \
    }
#include "settings.def"
    auto const model = decided.find("state.d_model");
    if (state.projections == ProjectionMode::identity && model != decided.end()) {
        decided["state.d_k"] = decided["state.d_v"] = model->second;
    }
    return decided;
}

std::vector<std::string> numbered_words(std::size_t count) {
    std::vector<std::string> words;
    for (std::size_t number = 1; number <= count; ++number) {
        words.push_back("x" + std::to_string(number));
    }
    return words;
}

} // namespace

std::string property_name(std::string const& field) {
    bool const is_matrix = is_upper(field[0]) || field.compare(0, 2, "b_") == 0;
    std::string name;
    for (std::size_t at = 0; at < field.size(); ++at) {
        bool const follows_dash = at > 0 && field[at - 1] == '_';
        if (field[at] != '_') {
            name += follows_dash && !is_matrix ? static_cast<char>(field[at] - 'a' + 'A') : field[at];
        }
    }
    return name;
}

LessonState completed(ChosenState const& chosen) {
    LessonState state = chosen.preset == Preset::four_token ? four_token_state() : LessonState();
#define SETTING_CHOICE(field, Type, initial, meaning) state.field = chosen.field.value_or(state.field);
#define SETTING_TOKENS(field, initial, meaning) state.field = chosen.field.value_or(state.field);
#define SETTING_WHOLE(field, Type, least, most, initial, meaning) state.field = chosen.field.value_or(state.field);
#define SETTING_NUMBER(field, least, below, initial, meaning) state.field = chosen.field.value_or(state.field);
#define SETTING_PLACE(field, count, initial, meaning) state.field = chosen.field.value_or(state.field);
#define SETTING_MATRIX(field, shape, rows, heads, width, meaning) state.field = chosen.field;
#define SETTING_EDITS(field, meaning) state.field = chosen.field;
#include "settings.def"
    std::map<std::string, std::size_t> const decided = decided_lengths(state);
    auto const length = [&](char const* name, std::size_t otherwise) {
        auto const found = decided.find(name);
        return found == decided.end() ? otherwise : found->second;
    };
#define SETTING_WHOLE(field, Type, least, most, initial, meaning)                                                      \
    state.field = static_cast<Type>(length("state." #field, state.field));
#define SETTING_FOLLOWING(field, leader, least, most, meaning)                                                         \
    state.field = length("state." #field, chosen.field.value_or(state.leader));
#include "settings.def"
    if (!chosen.tokens && state.X.size() != 0 && state.X.shape(0) != state.tokens.size()) {
        state.tokens = numbered_words(state.X.shape(0));
    }
    if (!chosen.row && state.tokens.size() < 2) {
        state.row = 0; // a single token is its own and only row
    }
    return state;
}

} // namespace attention
