// Intrusive reference counting: owners drop their reference with release, the last one adds an acquire fence.
// Alarms: without fences the uses of the other owners look unordered with the last owner's `delete`.
// Right: the last decrement continues the release sequences of the earlier ones, and the fence acquires them.
#include <atomic>
#include <cstdio>
#include <thread>

struct Document {
  std::atomic<int> references{2};
  int words[2] = {};
};

std::atomic<int> deleted{0};

void drop(Document* document) {
  if (document->references.fetch_sub(1, std::memory_order_release) != 1) return;
  std::atomic_thread_fence(std::memory_order_acquire);
  deleted.fetch_add(document->words[0] + document->words[1], std::memory_order_relaxed);
  delete document;
}

void edit(Document* document, int page) {
  document->words[page] = 10 + page;
  drop(document);
}

int main() {
  auto* document = new Document;
  std::thread first(edit, document, 0);
  std::thread second(edit, document, 1);
  first.join();
  second.join();
  std::printf("deleted with %d words\n", deleted.load());
}
