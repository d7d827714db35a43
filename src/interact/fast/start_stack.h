// What a program finds on its stack: at its start as Linux leaves it, and the arguments of each run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "interact/concolic/program_input.h"
#include "interact/fast/elf_image.h"
#include "interact/fast/kernel/machine.h"

namespace heddle::fast {

struct StartRequest {
  uint64_t stack_top;
  std::string program_name;
  std::string program_path;
  std::vector<std::string> environment;
  const ElfImage* program;
  const ElfImage* linker;  // may be null
};

struct StartStack {
  uint64_t pointer = 0;
  std::vector<uint64_t> variables;  // addresses of their texts
  uint64_t own_variable = 0;        // where the pointer to heddle's own one is, to be removed before main()
};

// The stack is usable memory. The highest part of it is left to the arguments of runs.
StartStack put_start(const StartRequest& request);

// argv and envp of a run, written to the highest part of the stack. False if there is not enough room.
bool put_arguments(Machine* machine, const std::string& program_name,
                   const std::vector<std::string>& arguments, const std::vector<uint64_t>& variables);

}  // namespace heddle::fast
