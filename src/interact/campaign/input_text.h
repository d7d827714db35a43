// Inputs and behaviours as people read and shells run them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interact/concolic/program_input.h"
#include "interact/trial/behaviour.h"

namespace heddle::interact {

// For sh: any bytes, as one word that printf(1) writes: '0\n\001'. Without the quotes: what stands in the
// format.
std::string printf_format(std::string_view bytes);

// "printf '0\n' | tool -w 3", with `program` as its name; "seq.in: …" is not part of it.
std::string command_line(const concolic::ProgramInput& input, const std::string& program);

// One line, shortened: "\"3\\n\", exit 1", "ended by signal 11", "stderr \"…\"". What the other shows as well
// is told, too.
std::string describe(const Behaviour& behaviour, const std::vector<Aspect>& aspects);

// "output", "exit code"…
std::string name_of(Aspect aspect);

}  // namespace heddle::interact
