// States and proofs of lessons that several tests start from.
#pragma once

#include "lesson.hpp"
#include "proofs.hpp"

namespace testing {

/// Five words with d_model = 4: no two sizes are alike where d_k and d_v are not.
inline attention::LessonState five_words(std::size_t d_k, std::size_t d_v) {
    attention::LessonState state;
    state.tokens = {"some", "words", "to", "look", "at"};
    state.d_model = 4;
    state.d_k = d_k;
    state.d_v = d_v;
    return state;
}

inline attention::Proof proof_of(attention::Law law, attention::LessonState const& state) {
    return attention::prove(state).at(static_cast<std::size_t>(law));
}

} // namespace testing
