// A project that uses an installed heddle: succeeds if the lost update is found.
#include <heddle/heddle.h>

#include <cassert>
#include <cstdio>
#include <thread>

int main() {
  heddle::Options options;
  options.name = "lost update";
  const heddle::Result result = heddle::explore(
      [] {
        int counter = 0;
        auto increment = [&] { counter++; };
        std::thread first(increment), second(increment);
        first.join();
        second.join();
        assert(counter == 2);
      },
      options);
  std::puts(result.message.c_str());
  return result.controlled && result.kind == "assertion" ? 0 : 1;
}
