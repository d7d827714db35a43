// expect: assertion
// The second thread never touches the block but to free it.
#include <cassert>
#include <thread>

int main() {
  auto* block = new int[4]{1, 2, 3, 4};
  std::thread user([=] {
    block[0] = 7;
    const int before = block[0];
    assert(before == 7);
  });
  delete[] block;
  auto* other = new int[4]{5, 6, 7, 8};
  user.join();
  const int first = other[0];
  assert(first == 5);
  delete[] other;
}
