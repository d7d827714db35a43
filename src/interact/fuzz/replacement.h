// Replacement: operands of comparisons that stand in the input are replaced by what they were compared with
// ("input-to-state correspondence", Aschermann et al., REDQUEEN, NDSS 2019).
#pragma once

#include <span>
#include <vector>

#include "interact/fast/layout.h"
#include "interact/fuzz/dictionary.h"
#include "interact/fuzz/input_room.h"
#include "interact/fuzz/random.h"

namespace heddle::fuzz {

struct Comparisons {
  std::span<const HeddleFastCompare> numbers;
  std::span<const HeddleFastTexts> texts;
};

// Inputs in which one operand is replaced: as decimal or hexadecimal text, as a character, as bytes in either
// order, also by the numbers beside it. At most `most`, chosen at random if there are more.
std::vector<concolic::ProgramInput> replacements(const concolic::ProgramInput& input,
                                                 const Comparisons& comparisons, const InputRoom& room,
                                                 size_t most, Random& random);

// Constants and texts that the program compares with, and that are not in the input anyway.
void learn_words(const concolic::ProgramInput& input, const Comparisons& comparisons, Dictionary* dictionary);

}  // namespace heddle::fuzz
