// Two races in the same function and on the same variable: with itself as called by known(), and by fresh().
#include <thread>

int counter;

__attribute__((noinline)) void bump(int* value) {
  ++*value;
}
__attribute__((noinline)) void known() {
  bump(&counter);
  asm volatile("");  // no tail call
}
__attribute__((noinline)) void fresh() {
  bump(&counter);
  asm volatile("");
}

void run_twice(void (*function)()) {
  std::thread one(function);
  std::thread two(function);
  one.join();
  two.join();
}

int main() {
  run_twice(known);
  run_twice(fresh);
}
