// InputShape: what an input of a program looks like: which parts of it may be chosen, and what to begin with.
//
// Users say it by a template of the command line, or it is inferred from the program's text (option_words.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interact/campaign/option_words.h"
#include "interact/concolic/program_input.h"
#include "support/error.h"

namespace heddle::interact {

struct InputShape {
  concolic::InputLimits limits;
  uint32_t symbolic = 0;        // concolic::symbolic::…: what may be chosen
  uint32_t standard_input = 0;  // the most bytes of it; 0: it is empty
  std::string file_name;        // of the input file in the program's folder; empty: there is none
  uint32_t file = 0;            // the most bytes of it
  std::vector<concolic::ProgramInput> seeds;  // the first is the simplest
};

struct ShapeRequest {
  std::optional<std::string> arguments;  // template; nothing: infer it
  std::optional<uint32_t> standard_input;
  std::string file;  // "NAME:N"; empty: none
};

// In a template, words are as in a shell. `@N` at the end of a word stands for up to N bytes that may be
// chosen, the rest is fixed: "-w @4", "--width=@6", "@8 @8". "@@" is an @. Words in brackets at the end may
// be left out: "-w @4 [@8] [@8]".
//
// Without a template the number of arguments is open, and the seeds are what `words` suggests.
Expected<InputShape> make_shape(const ShapeRequest& request, const OptionWords& words);

// Whether the input is one of this shape.
bool fits(const concolic::ProgramInput& input, const InputShape& shape);

// "-w @4 @8" again, or "any arguments", for people.
std::string describe_shape(const InputShape& shape);

}  // namespace heddle::interact
