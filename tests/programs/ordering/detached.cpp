// expect: assertion
// The end of a detached thread orders nothing, even when it is over.
#include <cassert>
#include <thread>

int value;

int main() {
  std::thread([] { value++; }).detach();
  value++;
  std::this_thread::yield();
  const int now = value;
  assert(now != 1);
}
