// Tables are filled before any thread starts, and only read from then on, each time without a lock.
// Alarms: writes and reads by different threads, no lock at all.
// Right: starting a thread orders what came before it, and reads do not conflict.
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>

std::map<std::string, int> codes;
std::vector<int> weights;
int results[2];

void look_up(int reader, const char* name) {
  results[reader] = codes.at(name) * weights[reader];
}

int main() {
  codes["red"] = 4;
  codes["green"] = 6;
  weights = {10, 100};
  std::thread first(look_up, 0, "red");
  std::thread second(look_up, 1, "green");
  first.join();
  second.join();
  std::printf("%d %d\n", results[0], results[1]);
}
