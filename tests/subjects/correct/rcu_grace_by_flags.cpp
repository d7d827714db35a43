// Read-copy-update: a reader announces itself while it uses the table, and the writer frees the old table
// when it has seen every reader outside.
// Alarms: readers hold no lock, and the `delete` follows only a load of each reader's flag.
// Right: a reader seen outside either has released its use of the old table, or will find the new one.
#include <atomic>
#include <cstdio>
#include <thread>

struct Table {
  int price;
  int tax;
};

std::atomic<Table*> current{nullptr};
std::atomic<bool> inside[2];
int totals[2];

void look_up(int reader) {
  inside[reader].store(true);
  const Table* table = current.load();
  totals[reader] = table->price % 10 + table->tax;
  inside[reader].store(false);
}

void update(Table* fresh) {
  Table* old = current.exchange(fresh);
  for (const std::atomic<bool>& flag : inside)
    while (flag.load()) std::this_thread::yield();
  delete old;
}

int main() {
  current = new Table{13, 2};
  std::thread first(look_up, 0);
  std::thread second(look_up, 1);
  update(new Table{23, 2});
  first.join();
  second.join();
  delete current.load();
  std::printf("%d %d\n", totals[0], totals[1]);
}
