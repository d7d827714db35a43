// expect: crash
//
// Use after free between a closer and a user: a connection is found under the lock of the table, and used
// after the lock has been released. Closing takes it out of the table and its buffer back into the pool; the
// user then follows the null pointer that is left.
#include <array>
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "../subject.h"

namespace {

struct Buffer {
  std::string bytes;
};

class Connection {
 public:
  void open(Buffer& buffer) { buffer_ = &buffer; }
  void close() { buffer_ = nullptr; }

  size_t send(const std::string& text) {
    ++sends_;
    buffer_->bytes += text;
    return buffer_->bytes.size();
  }

 private:
  int sends_ = 0;
  Buffer* buffer_ = nullptr;
};

class Server {
 public:
  void accept(int id) {
    std::lock_guard lock(mutex_);
    Connection& connection = connections_[used_];
    connection.open(buffers_[used_]);
    table_[id] = &connection;
    ++used_;
  }

  // How much has been sent to it, zero if there is no such connection.
  size_t send(int id, const std::string& text) {
    Connection* connection = nullptr;
    std::unique_lock lock(mutex_);
    if (const auto found = table_.find(id); found != table_.end()) connection = found->second;
    if (!subject::fixed) lock.unlock();
    return connection == nullptr ? 0 : connection->send(text);
  }

  void close(int id) {
    std::lock_guard lock(mutex_);
    const auto found = table_.find(id);
    if (found == table_.end()) return;
    found->second->close();
    table_.erase(found);
  }

 private:
  std::mutex mutex_;
  std::array<Buffer, 2> buffers_;
  std::array<Connection, 2> connections_;
  size_t used_ = 0;
  std::map<int, Connection*> table_;
};

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  Server server;
  server.accept(1);
  server.accept(2);
  std::thread user([&server] {
    for (const int id : {1, 2}) {
      const size_t sent = server.send(id, "hello");
      assert(sent == 0 || sent == 5);
    }
  });
  std::thread closer([&server] { server.close(2); });
  user.join();
  closer.join();
}
