#include "fetcher.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <utility>

namespace crawl {

void MemorySite::add_page(const std::string& url, std::string body) {
  FetchResult result;
  result.status = 200;
  result.body = std::move(body);
  add(url, std::move(result));
}

void MemorySite::add_redirect(const std::string& url, const std::string& location, int status) {
  FetchResult result;
  result.status = status;
  result.location = location;
  add(url, std::move(result));
}

void MemorySite::add(const std::string& url, FetchResult result) {
  const auto parsed = Url::parse(url);
  if (parsed) pages_[parsed->to_string()] = std::move(result);
}

FetchResult MemorySite::fetch(const Url& url) {
  const auto found = pages_.find(url.to_string());
  if (found != pages_.end()) return found->second;
  FetchResult missing;
  missing.status = 404;
  return missing;
}

FetchResult FlakyFetcher::fetch(const Url& url) {
  int attempt = 0;
  {
    std::lock_guard lock(mutex_);
    attempt = ++attempts_[url.to_string()];
  }
  if (attempt > failures_) return behind_.fetch(url);
  FetchResult failed;
  failed.status = status_;
  return failed;
}

int FlakyFetcher::attempts(const std::string& url) const {
  std::lock_guard lock(mutex_);
  const auto found = attempts_.find(url);
  return found == attempts_.end() ? 0 : found->second;
}

int FlakyFetcher::total() const {
  std::lock_guard lock(mutex_);
  int total = 0;
  for (const auto& [url, count] : attempts_) total += count;
  return total;
}

FetchResult parse_response(const std::string& bytes) {
  FetchResult result;
  const std::size_t head = bytes.find("\r\n\r\n");
  if (bytes.compare(0, 5, "HTTP/") != 0 || head == std::string::npos || bytes.size() < 12) return result;
  result.status = std::atoi(bytes.c_str() + 9);
  std::size_t at = bytes.find("\r\n") + 2;
  while (at < head + 2) {
    const std::size_t end = bytes.find("\r\n", at);
    const std::size_t colon = bytes.find(':', at);
    if (colon < end) {
      std::string name = bytes.substr(at, colon - at);
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      const std::size_t value = bytes.find_first_not_of(' ', colon + 1);
      if (name == "content-type") result.content_type = bytes.substr(value, end - value);
      if (name == "location") result.location = bytes.substr(value, end - value);
    }
    at = end + 2;
  }
  result.body = bytes.substr(head + 4);
  return result;
}

FetchResult LoopbackFetcher::fetch(const Url& url) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return {};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port_);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string response;
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    const std::string request = "GET " + url.target() + " HTTP/1.0\r\nHost: " + url.authority() + "\r\n\r\n";
    std::size_t sent = 0;
    while (sent < request.size()) {
      const ssize_t count = ::send(descriptor, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) break;
      sent += static_cast<std::size_t>(count);
    }
    char buffer[2048];
    ssize_t count = 0;
    while ((count = ::recv(descriptor, buffer, sizeof buffer, 0)) > 0) {
      response.append(buffer, static_cast<std::size_t>(count));
    }
  }
  ::close(descriptor);
  return parse_response(response);
}

}  // namespace crawl
