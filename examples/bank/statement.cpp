// Prints what became of an account: statement AMOUNT…, a deposit as 500, a withdrawal as -200.
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  int bookings = 0;
  int balance = 0;
  for (int i = 1; i < argc; ++i) {
    const int amount = std::atoi(argv[i]);
    balance += amount;
    ++bookings;
  }
  std::printf("balance %d\n", balance);
  if (bookings > 0) std::printf("average %d\n", balance / bookings);
}
