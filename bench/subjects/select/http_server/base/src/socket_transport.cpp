#include "socket_transport.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace web {
namespace {

[[noreturn]] void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// Small responses should not wait for more to send.
void send_at_once(int descriptor) {
  const int yes = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

}  // namespace

SocketConnection::~SocketConnection() {
  ::close(descriptor_);
}

std::size_t SocketConnection::read(char* buffer, std::size_t size) {
  for (;;) {
    const ssize_t count = ::recv(descriptor_, buffer, size, 0);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) return 0;
  }
}

bool SocketConnection::write(std::string_view data) {
  while (!data.empty()) {
    const ssize_t count = ::send(descriptor_, data.data(), data.size(), MSG_NOSIGNAL);
    if (count < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    data.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void SocketConnection::shutdown_read() {
  ::shutdown(descriptor_, SHUT_RD);
}

void SocketConnection::close() {
  ::shutdown(descriptor_, SHUT_RDWR);
}

SocketListener::SocketListener(std::uint16_t port) {
  descriptor_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor_ < 0) throw_errno("socket");
  const int yes = 1;
  ::setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address = loopback(port);
  socklen_t length = sizeof address;
  if (::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(descriptor_, 64) != 0 ||
      ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    const int error = errno;
    ::close(descriptor_);
    throw std::system_error(error, std::generic_category(), "bind");
  }
  port_ = ntohs(address.sin_port);
  wake_ = ::eventfd(0, EFD_CLOEXEC);
  if (wake_ < 0) {
    const int error = errno;
    ::close(descriptor_);
    throw std::system_error(error, std::generic_category(), "eventfd");
  }
}

SocketListener::~SocketListener() {
  ::close(wake_);
  ::close(descriptor_);
}

std::shared_ptr<Connection> SocketListener::accept() {
  for (;;) {
    pollfd waited[2] = {{wake_, POLLIN, 0}, {descriptor_, POLLIN, 0}};
    if (::poll(waited, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return nullptr;
    }
    if (waited[0].revents != 0) return nullptr;
    sockaddr_in address{};
    socklen_t length = sizeof address;
    const int accepted = ::accept4(descriptor_, reinterpret_cast<sockaddr*>(&address), &length, SOCK_CLOEXEC);
    if (accepted >= 0) {
      send_at_once(accepted);
      return std::make_shared<SocketConnection>(accepted, "127.0.0.1");
    }
    if (errno != EINTR && errno != ECONNABORTED) return nullptr;
  }
}

void SocketListener::close() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof one);
}

std::shared_ptr<Connection> connect_to_loopback(std::uint16_t port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) throw_errno("socket");
  auto connection = std::make_shared<SocketConnection>(descriptor, "server");
  const sockaddr_in address = loopback(port);
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    throw_errno("connect");
  }
  send_at_once(descriptor);
  return connection;
}

}  // namespace web
