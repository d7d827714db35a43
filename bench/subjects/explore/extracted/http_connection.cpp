// expect: crash
//
// Order violation, after Mozilla's nsHttpConnection: the connection is given to the socket thread before its
// transaction is attached. A server that answers at once finds none.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "../subject.h"

namespace {

class Transaction {
 public:
  void receive(const std::string& data) {
    std::lock_guard lock(mutex_);
    response_ += data;
  }
  std::string response() {
    std::lock_guard lock(mutex_);
    return response_;
  }

 private:
  std::mutex mutex_;
  std::string response_;
};

class Connection {
 public:
  void attach(Transaction& transaction) {
    std::lock_guard lock(mutex_);
    transaction_ = &transaction;
  }
  void on_readable(const std::string& data) {
    std::lock_guard lock(mutex_);
    transaction_->receive(data);
  }

 private:
  std::mutex mutex_;
  Transaction* transaction_ = nullptr;
};

class SocketThread {
 public:
  void add(Connection& connection) {
    std::lock_guard lock(mutex_);
    ready_.push_back(&connection);
    changed_.notify_one();
  }

  void serve(int connections) {
    for (int i = 0; i < connections; ++i) {
      Connection* connection = next();
      connection->on_readable("HTTP/1.1 200 OK");
    }
  }

 private:
  Connection* next() {
    std::unique_lock lock(mutex_);
    while (ready_.empty()) changed_.wait(lock);
    Connection* connection = ready_.front();
    ready_.pop_front();
    return connection;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Connection*> ready_;
};

void request(SocketThread& sockets, Connection& connection, Transaction& transaction) {
  if (subject::fixed) connection.attach(transaction);
  sockets.add(connection);
  if (!subject::fixed) connection.attach(transaction);
}

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  SocketThread sockets;
  Connection connections[2];
  Transaction transactions[2];
  std::thread serving([&sockets] { sockets.serve(2); });
  std::thread other_page([&] { request(sockets, connections[1], transactions[1]); });
  request(sockets, connections[0], transactions[0]);
  other_page.join();
  serving.join();
  for (Transaction& transaction : transactions) assert(transaction.response() == "HTTP/1.1 200 OK");
}
