// Which instructions the fast path uses: for measurements, and for results that are to be the same on another machine.
// Native builds alone.
#pragma once

#include <string>
#include <vector>

namespace attention {

/// The instruction sets that this build has code for and this machine runs, best first; the first is in use.
std::vector<std::string> instruction_sets();

/// Makes later calls use one of them. Outputs without stages differ by roundings from set to set, and nothing else
/// does. To be called before threads start.
///
/// @throws ArgumentError  if there is no such set
void use_instruction_set(std::string const& name);

} // namespace attention
