// The statements of two versions of a function in one spelling, so that equal text means an equal statement.
#pragma once

#include <string>
#include <vector>

#include "program/facts.h"

namespace heddle::program {

struct ComparableTexts {
  std::vector<std::string> base;  // by node
  std::vector<std::string> head;
};

// Locals go by the names that they have in the base. Their numbers in Node::normal would not do: one local
// more at the top, which is what an added guard is, gives all the others another number.
ComparableTexts comparable_texts(const Function& base, const Function& head);

}  // namespace heddle::program
