#include "instruction_set.hpp"

#include "error.hpp"
#include "fused_tiles.hpp"

namespace attention {

std::vector<std::string> instruction_sets() {
    std::vector<std::string> names;
    for (FusedInstructionSet const& set : supported_instruction_sets()) {
        names.emplace_back(set.name);
    }
    return names;
}

void use_instruction_set(std::string const& name) {
    std::string all;
    for (FusedInstructionSet const& set : supported_instruction_sets()) {
        if (name == set.name) {
            use_instruction_set(set);
            return;
        }
        all += (all.empty() ? "" : ", ") + std::string(set.name);
    }
    throw_problem(describe_problem("instruction_set", {"is ", name.c_str()}, {"this machine has ", all.c_str()}));
}

} // namespace attention
