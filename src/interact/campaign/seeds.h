// Seeds: inputs to begin with that are made of what a program's text says of its command line. A keyword
// costs a search as much as a number, and it stands in the text.
#pragma once

#include "interact/campaign/input_shape.h"
#include "interact/campaign/option_words.h"

namespace heddle::interact {

// Behind the seeds that are there, as far as they fit the shape: each word in each place of a template
// (without one: alone, and before operands), then each two of them. What else goes with them is for the
// search to find.
void add_seeds(const OptionWords& words, InputShape* shape);

}  // namespace heddle::interact
