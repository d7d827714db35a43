// A program of tests/programs as a function: its main() is linked in as program_main(), and its variables get
// their initial values before each execution, as if the process were new. Succeeds if heddle::explore() finds
// the failure that the program's header comment expects, given as the argument, and replays it.
#include <heddle/heddle.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" int program_main(int count, char** arguments);
extern char __data_start[];
extern char _end[];

namespace {

// The program's variables are among those of the whole executable. heddle shall not take this for accesses.
__attribute__((no_sanitize("thread"), noinline)) void copy(char* to, const char* from, size_t size) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

}  // namespace

int main(int, char** arguments) {
  const std::string expected = arguments[1];
  heddle::Options options;
  options.folder = "";
  options.executions = 20000;
  const size_t size = static_cast<size_t>(_end - __data_start);
  const std::vector<char> initial(__data_start, _end);
  const auto body = [&] {
    copy(__data_start, initial.data(), size);
    if (program_main(1, arguments) != 0) heddle_fail("it returns a failure");
  };
  const heddle::Result found = heddle::explore(body, options);
  std::printf("%s\n", found.ok() ? "nothing found" : found.message.c_str());
  if (found.kind != expected) return 1;
  for (int i = 0; i < 5; ++i) {
    const heddle::Result again = heddle::replay(found.schedule, body, options);
    if (again.kind == expected && !again.diverged) continue;
    std::printf("its replay: %s\n", again.message.c_str());
    return 2;
  }
  return 0;
}
