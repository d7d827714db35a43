// TCP on the loopback interface.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "transport.h"

namespace web {

/// Owns the descriptor: `close` only ends the connection, so that no other thread can meet a reused
/// descriptor.
class SocketConnection : public Connection {
 public:
  SocketConnection(int descriptor, std::string peer) : descriptor_(descriptor), peer_(std::move(peer)) {}
  ~SocketConnection() override;

  std::size_t read(char* buffer, std::size_t size) override;
  bool write(std::string_view data) override;
  void shutdown_read() override;
  void close() override;
  std::string peer() const override { return peer_; }

 private:
  const int descriptor_;
  const std::string peer_;
};

class SocketListener : public Listener {
 public:
  /// Binds to 127.0.0.1; with port 0 the kernel chooses. Throws std::system_error.
  explicit SocketListener(std::uint16_t port = 0);
  ~SocketListener() override;

  std::shared_ptr<Connection> accept() override;
  void close() override;
  std::uint16_t port() const { return port_; }

 private:
  int descriptor_ = -1;
  int wake_ = -1;  // an eventfd that becomes readable when the listener is closed
  std::uint16_t port_ = 0;
};

/// A connection to a port of this machine. Throws std::system_error.
std::shared_ptr<Connection> connect_to_loopback(std::uint16_t port);

}  // namespace web
