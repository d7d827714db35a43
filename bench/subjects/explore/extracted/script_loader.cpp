// expect: crash
//
// Atomicity violation, after Mozilla's script loader: the script to compile is set under the lock, and
// compiled under the lock, but not under the same hold of it. A page that is closed in between leaves a null
// pointer.
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

#include "../subject.h"

namespace {

struct Script {
  std::string source;
  size_t tokens = 0;

  void compile() {
    tokens = 1;
    for (const char letter : source) tokens += letter == ' ' ? 1 : 0;
  }
};

class Loader {
 public:
  void load(Script& script) {
    std::unique_lock lock(mutex_);
    current_ = &script;
    ++loads_;
    if (!subject::fixed) {
      lock.unlock();
      note_transfer(script.source.size());
      lock.lock();
    }
    current_->compile();
  }

  void load_image(size_t bytes) { note_transfer(bytes); }

  void close_page() {
    std::lock_guard lock(mutex_);
    current_ = nullptr;
  }

 private:
  void note_transfer(size_t bytes) {
    std::lock_guard lock(transfer_mutex_);
    transferred_ += bytes;
  }

  std::mutex mutex_;
  Script* current_ = nullptr;
  int loads_ = 0;
  std::mutex transfer_mutex_;
  size_t transferred_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  Loader loader;
  Script script{"let x = 1"};
  std::thread network([&] { loader.load(script); });
  std::thread window([&] {
    for (const size_t bytes : {900, 400, 1200}) loader.load_image(bytes);
    loader.close_page();
  });
  network.join();
  window.join();
  assert(script.tokens == 4);
}
