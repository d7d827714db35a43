// Two threads with five accesses each to what they share, explored inside the process: what an execution
// costs when nothing has to be started for it. The argument is the number of executions.
#include <heddle/heddle.h>

#include <cstdlib>
#include <thread>

int main(int, char** arguments) {
  heddle::Options options;
  options.executions = std::strtoull(arguments[1], nullptr, 10);
  const heddle::Result result = heddle::explore(
      [] {
        struct {
          long first;
          long second;
          long sum;
        } shared{};
        auto work = [&] {
          const long first = shared.first;
          shared.first = first + 1;
          const long second = shared.second;
          shared.second = second + first;
          shared.sum = first + second;
        };
        std::thread one(work), other(work);
        one.join();
        other.join();
      },
      options);
  return result.ok() && result.controlled && result.executions == options.executions ? 0 : 1;
}
