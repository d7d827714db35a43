// Strings and vectors moved through a queue: their memory is allocated here, read and freed there.
// Alarms: the characters are never accessed under the lock; only the handles are.
// Right: moving hands the memory over within the critical section.
#include <cstdio>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Letter {
  std::string text;
  std::vector<int> pages;
};

std::mutex mutex;
std::deque<Letter> box;

void send(int number) {
  Letter letter{std::string(40, static_cast<char>('a' + number)), {}};
  for (int page = 0; page <= number; ++page) letter.pages.push_back(page);
  std::lock_guard lock(mutex);
  box.push_back(std::move(letter));
}

bool receive(size_t& length, size_t& pages) {
  Letter letter;
  {
    std::lock_guard lock(mutex);
    if (box.empty()) return false;
    letter = std::move(box.front());
    box.pop_front();
  }
  letter.text += '.';
  length += letter.text.size();
  pages += letter.pages.size();
  return true;
}

int main() {
  std::thread first(send, 1);
  std::thread second(send, 2);
  size_t length = 0;
  size_t pages = 0;
  for (int letters = 0; letters < 2;) {
    if (receive(length, pages))
      ++letters;
    else
      std::this_thread::yield();
  }
  first.join();
  second.join();
  std::printf("%zu characters on %zu pages\n", length, pages);
}
