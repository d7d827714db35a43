#include "local_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace crawl {
namespace {

/// The request up to its empty line; what comes later does not matter for GET.
std::string read_head(int descriptor) {
  std::string head;
  char buffer[1024];
  while (head.find("\r\n\r\n") == std::string::npos) {
    const ssize_t count = ::recv(descriptor, buffer, sizeof buffer, 0);
    if (count <= 0) return "";
    head.append(buffer, static_cast<std::size_t>(count));
  }
  return head;
}

/// The address in "GET /path HTTP/1.0 ... Host: name".
std::string address_in(const std::string& head) {
  const std::size_t begin = head.find(' ');
  const std::size_t end = head.find(' ', begin + 1);
  const std::size_t host = head.find("Host: ");
  if (begin == std::string::npos || end == std::string::npos || host == std::string::npos) return "";
  const std::string name = head.substr(host + 6, head.find("\r\n", host) - host - 6);
  return "http://" + name + head.substr(begin + 1, end - begin - 1);
}

}  // namespace

LocalServer::LocalServer(Fetcher& pages, std::size_t threads) : pages_(pages) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  wake_ = ::eventfd(0, EFD_CLOEXEC);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (listener_ < 0 || wake_ < 0 ||
      ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    const int error = errno;
    if (listener_ >= 0) ::close(listener_);
    if (wake_ >= 0) ::close(wake_);
    throw std::system_error(error, std::generic_category(), "local server");
  }
  port_ = ntohs(address.sin_port);
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { serve_loop(); });
}

LocalServer::~LocalServer() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof one);
  for (std::thread& thread : threads_) thread.join();
  ::close(listener_);
  ::close(wake_);
}

void LocalServer::serve_loop() {
  for (;;) {
    pollfd waited[2] = {{wake_, POLLIN, 0}, {listener_, POLLIN, 0}};
    if (::poll(waited, 2, -1) < 0 && errno != EINTR) return;
    if (waited[0].revents != 0) return;
    // Another thread may have been faster: then there is nothing to accept, and the wait goes on.
    const int accepted = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (accepted < 0) continue;
    serve(accepted);
    ::close(accepted);
  }
}

void LocalServer::serve(int descriptor) {
  const auto url = Url::parse(address_in(read_head(descriptor)));
  if (!url) return;
  ++requests_;
  const FetchResult page = pages_.fetch(*url);
  std::string response =
      "HTTP/1.0 " + std::to_string(page.status) + " x\r\nContent-Type: " + page.content_type + "\r\n";
  if (!page.location.empty()) response += "Location: " + page.location + "\r\n";
  response += "\r\n" + page.body;
  std::size_t sent = 0;
  while (sent < response.size()) {
    const ssize_t count = ::send(descriptor, response.data() + sent, response.size() - sent, MSG_NOSIGNAL);
    if (count <= 0) return;
    sent += static_cast<std::size_t>(count);
  }
  ::shutdown(descriptor, SHUT_WR);
}

}  // namespace crawl
