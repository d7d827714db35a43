// How a person would write a call: operators as operators, what the call fills in as a variable.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "generate/argument.h"
#include "generate/class_model.h"

namespace heddle::generate {

struct CallText {
  std::string code;
  std::string label;  // shorter, for people
  std::set<std::string> includes;
};

// `receiver`: "object" or "other"; what a static method is called on is not written.
CallText call_text(const ClassModel& model, const Callable& method, const std::string& receiver,
                   const std::vector<Argument>& arguments);

// "(2)", "{}", " = ns::make_cache(2)".
CallText construction_text(const ClassModel& model, const Callable& constructor,
                           const std::vector<Argument>& arguments);

// "object++", whose parameter says no more than that it is not "++object".
bool is_postfix(const Callable& method);

}  // namespace heddle::generate
