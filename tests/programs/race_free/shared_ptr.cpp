// expect: ok
// detect: race
// executions: 200
// shared_ptr and weak_ptr; the object is destroyed by whoever is last.
#include <memory>
#include <string>
#include <thread>

int main() {
  auto text = std::make_shared<std::string>("a text that is longer than a short one");
  std::weak_ptr<std::string> weak = text;
  std::thread first([text] { return text->size(); });
  std::thread second([weak] {
    if (const auto got = weak.lock()) return got->size();
    return std::string::size_type{0};
  });
  text.reset();
  first.join();
  second.join();
}
