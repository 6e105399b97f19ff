#include "lesson_document.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <regex>
#include <set>
#include <string_view>
#include <type_traits>

#include <nlohmann/json.hpp>

#include "error.hpp"

namespace attention {
namespace {

using nlohmann::json;

constexpr int version = 1;

/// What only the page looks at: PageSettings in web/engine/lesson-state.js.
constexpr std::array<std::string_view, 5> page_settings{"step", "beside", "panels", "theme", "locked"};

/// A document nests this deep: itself, an array, its entries.
constexpr std::size_t deepest = 8; // a few more, so that the sentence can name the entry that should be a number

constexpr std::size_t longest_quote = 40;

char const* const wanted_file = "must be a file that holds a lesson's state as JSON";

std::string quoted(std::string const& text) {
    std::size_t end = 0;
    for (std::size_t characters = 0; end < text.size() && characters < longest_quote; ++characters) {
        do {
            ++end;
        } while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u);
    }
    return '"' + text.substr(0, end) + (end < text.size() ? "…\"" : "\"");
}

/// A value as a sentence quotes it.
std::string describe(json const& value) {
    return value.is_string()   ? quoted(value.get_ref<std::string const&>())
           : value.is_array()  ? "an array"
           : value.is_object() ? "an object"
                               : value.dump();
}

std::string entry(std::string const& place, std::size_t index) {
    return place + "[" + std::to_string(index) + "]";
}

[[noreturn]] void refuse(std::string const& place, json const& value, std::string const& expected) {
    throw_problem({place, "is " + describe(value), expected});
}

std::string read_text(std::string const& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        throw_problem({path, "is a directory", wanted_file});
    }
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string const text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file.is_open() || file.bad()) {
        throw_problem({path, std::string("cannot be read (") + std::strerror(errno) + ")", wanted_file});
    }
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        throw_problem({path, "is empty", wanted_file});
    }
    return text;
}

/// Follows the parser, so that what it refuses has a place, and refuses what a finished document no longer shows: keys
/// that stand twice, of which the later would win, and nesting without end.
class ParsedPlace {
  public:
    explicit ParsedPlace(std::string const& path) : path_(path) {}

    /// Such as "lesson.json: Wq[1][0]", where the parser stands.
    std::string place() const {
        std::string place = path_;
        for (Level const& level : levels_) {
            if (level.is_object) {
                place += (&level == &levels_.front() ? ": " : ".") + level.key;
            } else {
                place = entry(place, level.index);
            }
        }
        return place;
    }

    void follow(json::parse_event_t event, json const& parsed) {
        using Event = json::parse_event_t;
        switch (event) {
        case Event::object_start:
        case Event::array_start:
            if (levels_.size() == deepest) {
                throw_problem({place(), "is nested " + std::to_string(deepest) + " deep", "no setting nests so deep"});
            }
            levels_.push_back({event == Event::object_start, 0, "", {}});
            break;
        case Event::key:
            add_key(parsed.get_ref<std::string const&>());
            break;
        case Event::object_end:
        case Event::array_end:
            levels_.pop_back();
            [[fallthrough]];
        case Event::value:
            if (!levels_.empty()) {
                ++levels_.back().index;
            }
            break;
        }
    }

  private:
    struct Level {
        bool is_object;
        std::size_t index;
        std::string key;
        std::set<std::string> keys;
    };

    void add_key(std::string const& key) {
        Level& level = levels_.back();
        if (!level.keys.insert(key).second) {
            level.key = key;
            throw_problem({place(), "stands there twice", "a key may stand in an object once"});
        }
        level.key = key;
    }

    std::string path_;
    std::vector<Level> levels_;
};

/// What the parser says of a text that is no JSON, in one line: "line 2, column 5: unexpected '}'; expected …".
std::string reason_of(json::parse_error const& error) {
    constexpr std::size_t longest = 160;
    std::string text = std::string(error.what()).substr(0, longest);
    static std::regex const form(R"(.*? at (line \d+, column \d+): (?:syntax error .*? - )?(.*))");
    text = std::regex_replace(text, form, "$1: $2");
    std::replace_if(
        text.begin(), text.end(), [](char byte) { return byte < ' ' || byte > '~'; }, '?');
    return text;
}

json parse(std::string const& path) {
    std::string const text = read_text(path);
    ParsedPlace parsed_place(path);
    try {
        return json::parse(text, [&](int, json::parse_event_t event, json& parsed) {
            parsed_place.follow(event, parsed);
            return true;
        });
    } catch (json::parse_error const& error) {
        throw_problem({path, "is no JSON (" + reason_of(error) + ")", wanted_file});
    } catch (json::out_of_range const&) { // a number such as 1e999
        throw_problem({parsed_place.place(), "is beyond float64", "must be a finite number"});
    }
}

/// A number to the last bit. The parser takes "-0" for a signed integer, and every other whole number from 0 on for an
/// unsigned one.
double number(std::string const& place, json const& value) {
    if (!value.is_number()) {
        refuse(place, value, "must be a number");
    }
    bool const is_minus_zero =
        value.is_number_integer() && !value.is_number_unsigned() && value.get<std::int64_t>() == 0;
    return is_minus_zero ? -0.0 : value.get<double>();
}

std::size_t whole(std::string const& place, json const& value, std::size_t least, std::size_t most) {
    double const found = value.is_number() ? number(place, value) : std::nan("");
    if (!(found >= static_cast<double>(least) && found <= static_cast<double>(most)) || found != std::floor(found)) {
        refuse(place, value, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return static_cast<std::size_t>(found);
}

/// Names as a sentence lists them: "a, b or c".
std::string joined(std::vector<std::string> const& names, char const* last) {
    std::string list;
    for (std::size_t index = 0; index < names.size(); ++index) {
        list += (index == 0 ? "" : index + 1 == names.size() ? last : ", ") + names[index];
    }
    return list;
}

std::string either(std::vector<std::string> const& names) {
    return joined(names, " or ");
}

std::string numbers(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " number" : " numbers");
}

template <class Choice> Choice choice(std::string const& place, json const& value) {
    std::vector<std::string> names;
#define CHOICE(Type, enumerator, note)                                                                                 \
    if constexpr (std::is_same_v<Type, Choice>) {                                                                      \
        std::string name = #enumerator;                                                                                \
        std::replace(name.begin(), name.end(), '_', '-');                                                              \
        if (value == name) {                                                                                           \
            return Type::enumerator;                                                                                   \
        }                                                                                                              \
        names.push_back(name);                                                                                         \
    }
#include "settings.def"
    refuse(place, value, "must be " + either(names));
}

/// The length of the white space that a text has at a place, as \s of JavaScript has it, or 0.
std::size_t space_at(std::string_view text, std::size_t at) {
    for (std::string_view const space :
         {"\t",     "\n",     "\v",     "\f",     "\r",     " ",      "\u00a0", "\u1680", "\u2000",
          "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009",
          "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff"}) {
        if (text.compare(at, space.size(), space) == 0) {
            return space.size();
        }
    }
    return 0;
}

std::vector<std::string> words_of(std::string const& text) {
    std::vector<std::string> words;
    bool is_inside = false;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const space = space_at(text, at);
        if (space == 0) {
            if (!is_inside) {
                words.emplace_back();
            }
            words.back() += text[at];
        }
        is_inside = space == 0;
        at += std::max<std::size_t>(space, 1);
    }
    return words;
}

std::vector<std::string> tokens(std::string const& place, json const& value) {
    if (value.is_string()) {
        return words_of(value.get_ref<std::string const&>());
    }
    if (!value.is_array()) {
        refuse(place, value, "must be words or an array of strings");
    }
    std::vector<std::string> tokens;
    for (std::size_t index = 0; index < value.size(); ++index) {
        if (!value[index].is_string()) {
            refuse(entry(place, index), value[index], "must be a string");
        }
        tokens.push_back(value[index].get<std::string>());
    }
    return tokens;
}

/// That an object has the keys that it needs, and none but these and others that it may have.
void require_keys(std::string const& place, json const& object, std::vector<std::string> const& needed,
                  std::vector<std::string> const& others = {}) {
    for (std::string const& key : needed) {
        if (!object.contains(key)) {
            throw_problem({place, "has no " + key, "must have " + joined(needed, " and ")});
        }
    }
    for (auto const& member : object.items()) {
        bool const is_known = std::count(needed.begin(), needed.end(), member.key()) != 0 ||
                              std::count(others.begin(), others.end(), member.key()) != 0;
        if (!is_known) {
            throw_problem({place, "has a key " + quoted(member.key()), "nothing there has that name"});
        }
    }
}

/// {data, shape}: the entries row by row.
Matrix<double> flat_matrix(std::string const& place, json const& value) {
    require_keys(place, value, {"data", "shape"});
    json const& shape = value["shape"];
    if (!shape.is_array() || shape.size() != 2) {
        refuse(place + ".shape", shape, "must be two lengths");
    }
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    std::size_t const rows = whole(place + ".shape[0]", shape[0], 1, most);
    std::size_t const columns = whole(place + ".shape[1]", shape[1], 1, most);
    json const& data = value["data"];
    if (!data.is_array()) {
        refuse(place + ".data", data, "must be an array of numbers");
    }
    if (data.size() != rows * columns) {
        throw_problem({place + ".data", "holds " + numbers(data.size()),
                       "the shape asks for " + std::to_string(rows) + " × " + std::to_string(columns)});
    }
    Matrix<double> matrix = make_matrix<double>(rows, columns);
    for (std::size_t index = 0; index < data.size(); ++index) {
        matrix.data()[index] = number(entry(place + ".data", index), data[index]);
    }
    return matrix;
}

/// The numbers of a row.
void fill_row(double* numbers, std::string const& place, json const& row) {
    for (std::size_t column = 0; column < row.size(); ++column) {
        numbers[column] = number(entry(place, column), row[column]);
    }
}

/// @param is_row  whether it is one row, which may stand there by itself
Matrix<double> matrix(std::string const& place, json const& value, bool is_row) {
    if (value.is_null()) {
        return {};
    }
    if (is_row && value.is_array() && !value.empty() && value[0].is_number()) {
        Matrix<double> row = make_matrix<double>(1, value.size());
        fill_row(row.data(), place, value);
        return row;
    }
    if (value.is_object()) {
        return flat_matrix(place, value);
    }
    if (!value.is_array()) {
        refuse(place, value, "must be rows of numbers, data and shape, or null");
    }
    if (value.empty()) {
        throw_problem({place, "is empty", "must be rows of numbers"});
    }
    Matrix<double> matrix;
    for (std::size_t row = 0; row < value.size(); ++row) {
        json const& entries = value[row];
        std::string const row_place = entry(place, row);
        if (!entries.is_array()) {
            refuse(row_place, entries, "must be a row of numbers");
        }
        if (row == 0 && entries.empty()) {
            throw_problem({row_place, "is empty", "must be a row of numbers"});
        }
        if (row == 0) {
            matrix = make_matrix<double>(value.size(), entries.size());
        }
        if (entries.size() != matrix.shape(1)) {
            throw_problem({row_place, "has " + numbers(entries.size()),
                           "must have as many as row 0, " + std::to_string(matrix.shape(1))});
        }
        fill_row(row_of(matrix, row), row_place, entries);
    }
    return matrix;
}

OwnMatrix own_matrix(std::string const& place, json const& value) {
    std::vector<std::string> names;
#define SETTING_MATRIX(field, shape, rows, heads, width, meaning)                                                      \
    names.push_back(property_name(#field));                                                                            \
    if (value == names.back()) {                                                                                       \
        return OwnMatrix::field;                                                                                       \
    }
#include "settings.def"
    refuse(place, value, "must be " + either(names));
}

std::vector<MatrixEdit> edits(std::string const& place, json const& value) {
    if (!value.is_array()) {
        refuse(place, value, "must be an array of edits");
    }
    std::vector<MatrixEdit> edits;
    for (std::size_t index = 0; index < value.size(); ++index) {
        json const& edit = value[index];
        std::string const of = entry(place, index);
        if (!edit.is_object()) {
            refuse(of, edit, "must be matrix, row, column and value");
        }
        require_keys(of, edit, {"matrix", "row", "column", "value"}, {"head"});
        auto const count = [&](char const* key) {
            return whole(of + "." + key, edit[key], 0, std::numeric_limits<std::uint32_t>::max());
        };
        edits.push_back({own_matrix(of + ".matrix", edit["matrix"]), edit.contains("head") ? count("head") : 0,
                         count("row"), count("column"), number(of + ".value", edit["value"])});
    }
    return edits;
}

/// Takes a setting into the state.
///
/// @return  whether there is one of that name
bool take(ChosenState& chosen, std::string const& name, std::string const& place, json const& value) {
    bool const is_none = value.is_null();
#define SETTING(field, ...)                                                                                            \
    if (name == property_name(#field)) {                                                                               \
        chosen.field = __VA_ARGS__;                                                                                    \
        return true;                                                                                                   \
    }
#define SETTING_CHOICE(field, Type, initial, meaning) SETTING(field, choice<Type>(place, value))
#define SETTING_TOKENS(field, initial, meaning)                                                                        \
    SETTING(field, is_none&&*(initial) == 0 ? std::optional<std::vector<std::string>>() : tokens(place, value))
#define SETTING_WHOLE(field, Type, least, most, initial, meaning)                                                      \
    SETTING(field, static_cast<Type>(whole(place, value, least, most)))
#define SETTING_NUMBER(field, least, below, initial, meaning) SETTING(field, number(place, value))
#define SETTING_FOLLOWING(field, leader, least, most, meaning)                                                         \
    SETTING(field, is_none ? std::optional<std::size_t>() : whole(place, value, least, most))
#define SETTING_PLACE(field, count, initial, meaning) SETTING(field, whole(place, value, 0, (count)-1))
#define SETTING_MATRIX(field, shape, rows, heads, width, meaning)                                                      \
    SETTING(field, matrix(place, value, std::string_view(#rows) == "1"))
#define SETTING_EDITS(field, meaning) SETTING(field, edits(place, value))
#include "settings.def"
#undef SETTING
    return std::find(page_settings.begin(), page_settings.end(), name) != page_settings.end();
}

bool is_projection(std::string const& name) {
    return name == "Q" || name == "K" || name == "V";
}

/// Q, K and V at once, as the embeddings and weights that give them.
void take_projections(ChosenState& chosen, std::string const& path, json const& document) {
    auto const given = [&](char const* name) {
        return document.contains(name) ? matrix(path + ": " + name, document[name], false) : Matrix<double>();
    };
    Matrix<double> const Q = given("Q");
    Matrix<double> const K = given("K");
    Matrix<double> const V = given("V");
    if (Q.size() + K.size() + V.size() == 0) {
        return;
    }
    for (char const* name : {"X", "Wq", "Wk", "Wv", "bq", "bk", "bv"}) {
        if (document.contains(name) && !document[name].is_null()) {
            throw_problem({path + ": " + name, "is given", "Q, K and V stand in its place"});
        }
    }
    if (Problem problem = find_problem(Q, K, V)) {
        problem->argument = path + ": " + problem->argument;
        throw_problem(*problem);
    }
    LessonState state;
    set_projections(state, Q, K, V);
    chosen.X = state.X;
    chosen.W_q = state.W_q;
    chosen.W_k = state.W_k;
    chosen.W_v = state.W_v;
    chosen.projections = state.projections;
}

} // namespace

ChosenState read_lesson_document(std::string const& path) {
    json const document = parse(path);
    if (!document.is_object()) {
        refuse(path, document, "must be an object of settings");
    }
    if (document.contains("version") && document["version"] != version) {
        refuse(path + ": version", document["version"], "this program reads version " + std::to_string(version));
    }
    ChosenState chosen;
    for (auto const& setting : document.items()) {
        std::string const& name = setting.key();
        if (name != "version" && !is_projection(name) && !take(chosen, name, path + ": " + name, setting.value())) {
            throw_problem({path, "has a key " + quoted(name), "no setting has that name"});
        }
    }
    take_projections(chosen, path, document);
    return chosen;
}

} // namespace attention
