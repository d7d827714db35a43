// Prints positions in itself, one per line: a name, then an offset from the load address in hexadecimal. The
// symbolizer's test asks about these offsets and knows what stands at each of them.
#include <link.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <mutex>

namespace bank {
struct Owner {
  int number;
};
struct Account : Owner {
  std::mutex lock;
  long balance;
  struct {
    short history[4];
  } old[3];
};
Account savings;
std::array<Owner, 4> owners;
static volatile long plain = 1;
}  // namespace bank

static uintptr_t load_base = 0;

static int remember_base(dl_phdr_info* info, size_t, void*) {
  load_base = info->dlpi_addr;  // the program itself comes first
  return 1;
}

__attribute__((noinline)) void print_caller(const char* name) {
  auto address = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  std::printf("%s %zx\n", name, address - 1 - load_base);
}

void print_address(const char* name, const volatile void* address) {
  std::printf("%s %zx\n", name, reinterpret_cast<uintptr_t>(address) - load_base);
}

template <typename T>
struct Queue {
  __attribute__((always_inline)) inline void push(T) {
    print_caller("inlined");  // line of Queue::push
    ++size;
  }
  int size = 0;
};

Queue<int> queue;

__attribute__((noinline)) void produce(int value) {
  queue.push(value);  // line of produce
  bank::savings.balance += value + bank::plain;
}

// Prints where two variables of its frame are, which are of use only as a distance.
__attribute__((noinline)) void count(bank::Account& shared) {
  bank::Account local{};
  std::array<bank::Owner, 3> owners{};
  print_address("local", &local.balance);
  print_address("owners", &owners[1].number);
  shared.balance += local.balance + owners[1].number;
  print_caller("frame");
}

int main() {
  dl_iterate_phdr(remember_base, nullptr);
  produce(1);
  auto work = [](int value) __attribute__((noinline)) {
    print_caller("lambda");  // line of the lambda
    queue.size += value;
  };
  work(2);
  print_address("member", &bank::savings.balance);
  print_address("base", &bank::savings.number);
  print_address("element", &bank::savings.old[2].history[1]);
  print_address("mutex", reinterpret_cast<char*>(&bank::savings.lock) + 8);
  print_address("array", &bank::owners[2].number);
  count(bank::savings);
  print_address("plain", &bank::plain);
  return queue.size == 0;
}
