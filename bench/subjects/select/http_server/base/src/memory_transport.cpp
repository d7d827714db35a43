#include "memory_transport.h"

#include <algorithm>
#include <utility>

namespace web {

std::size_t MemoryPipe::read(char* buffer, std::size_t size) {
  std::size_t count = 0;
  {
    std::unique_lock lock(mutex_);
    readable_.wait(lock, [this] { return !bytes_.empty() || writing_closed_ || reading_closed_; });
    if (reading_closed_) return 0;
    count = std::min(size, bytes_.size());
    bytes_.copy(buffer, count);
    bytes_.erase(0, count);
  }
  if (count > 0) writable_.notify_one();
  return count;
}

bool MemoryPipe::write(std::string_view data) {
  while (!data.empty()) {
    {
      std::unique_lock lock(mutex_);
      writable_.wait(lock,
                     [this] { return bytes_.size() < capacity_ || writing_closed_ || reading_closed_; });
      if (writing_closed_ || reading_closed_) return false;
      const std::size_t count = std::min(data.size(), capacity_ - bytes_.size());
      bytes_ += data.substr(0, count);
      data.remove_prefix(count);
    }
    readable_.notify_one();
  }
  return true;
}

void MemoryPipe::close_writing() {
  {
    std::lock_guard lock(mutex_);
    writing_closed_ = true;
  }
  readable_.notify_all();
  writable_.notify_all();
}

void MemoryPipe::close_reading() {
  {
    std::lock_guard lock(mutex_);
    reading_closed_ = true;
    bytes_.clear();
  }
  readable_.notify_all();
  writable_.notify_all();
}

std::size_t MemoryPipe::pending() const {
  std::lock_guard lock(mutex_);
  return bytes_.size();
}

MemoryConnection::MemoryConnection(std::shared_ptr<MemoryPipe> in, std::shared_ptr<MemoryPipe> out,
                                   std::string peer)
    : in_(std::move(in)), out_(std::move(out)), peer_(std::move(peer)) {}

MemoryConnection::~MemoryConnection() {
  close();
}

void MemoryConnection::close() {
  in_->close_reading();
  out_->close_writing();
}

std::shared_ptr<Connection> MemoryListener::accept() {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
  if (waiting_.empty()) return nullptr;
  auto connection = std::move(waiting_.front());
  waiting_.pop_front();
  return connection;
}

void MemoryListener::close() {
  std::deque<std::shared_ptr<Connection>> refused;
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
    refused.swap(waiting_);
  }
  arrived_.notify_all();
  for (const auto& connection : refused) connection->close();
}

std::shared_ptr<Connection> MemoryListener::connect(std::string client_name) {
  auto to_server = std::make_shared<MemoryPipe>(pipe_capacity_);
  auto to_client = std::make_shared<MemoryPipe>(pipe_capacity_);
  auto server_end = std::make_shared<MemoryConnection>(to_server, to_client, std::move(client_name));
  auto client_end = std::make_shared<MemoryConnection>(to_client, to_server, "server");
  {
    std::lock_guard lock(mutex_);
    if (closed_ || waiting_.size() >= backlog_) return nullptr;
    waiting_.push_back(std::move(server_end));
  }
  arrived_.notify_one();
  return client_end;
}

}  // namespace web
