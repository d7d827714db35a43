// expect: ok
// Reference counts of shared_ptr and weak_ptr: the object lives as long as somebody holds it, and no longer.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<int> alive = 0;

struct Session {
  int id = 7;
  Session() { alive.fetch_add(1); }
  ~Session() { alive.fetch_sub(1); }
};

int main() {
  auto session = std::make_shared<Session>();
  std::weak_ptr<Session> observer = session;
  std::thread owner([session = std::move(session)]() mutable {
    assert(session->id == 7);
    session.reset();
  });
  if (auto seen = observer.lock()) {
    assert(seen->id == 7);
    assert(alive == 1);
  }
  owner.join();
  assert(alive == 0);
  assert(observer.expired());
}
