// expect: ok
// A thread spins on a plain volatile flag before anybody else has touched it: nothing says yet that the flag
// is shared, and still the thread must not spin for ever. (A data race by the letter; it ends all the same.)
#include <thread>

volatile bool stop = false;
volatile int turns = 0;

int main() {
  std::thread spinner([] {
    while (!stop) turns = turns + 1;
  });
  stop = true;
  spinner.join();
}
