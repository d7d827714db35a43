#include "runtime/in_flight.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "runtime/descriptors.h"
#include "runtime/sync.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

inline constexpr uint8_t kSynSent = 2;  // TCP_SYN_SENT, which linux/tcp.h does not have

// Written to, and not known to have delivered everything. More at a time would only cost patience.
inline constexpr size_t kMaxSenders = 64;
int senders[kMaxSenders];
size_t sender_count;

bool get_info(int fd, tcp_info* info) {
  socklen_t size = sizeof *info;
  return sys_call(SYS_getsockopt, fd, IPPROTO_TCP, TCP_INFO, address_of(info), address_of(&size)) == 0;
}

bool is_unread(int fd) {
  int unread = 0;
  return sys_call(SYS_ioctl, fd, FIONREAD, address_of(&unread)) == 0 && unread > 0;
}

// What a socket that is being connected to this machine has for an address of its own.
bool is_on_loopback(int fd) {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  if (sys_call(SYS_getsockname, fd, address_of(&own), address_of(&size)) != 0) return false;
  if (own.ss_family == AF_INET) {
    constexpr uint32_t kLoopbackNet = 127;
    return ntohl(reinterpret_cast<const sockaddr_in*>(&own)->sin_addr.s_addr) >> 24 == kLoopbackNet;
  }
  return own.ss_family == AF_INET6 &&
         IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(&own)->sin6_addr);
}

enum class Delivery { kDone, kUnderWay, kWaitsForReader };

Delivery delivery_from(int fd) {
  tcp_info sent{};
  tcp_info received{};
  if (!get_info(fd, &sent)) return Delivery::kDone;
  if (sent.tcpi_state == kSynSent) return is_on_loopback(fd) ? Delivery::kUnderWay : Delivery::kDone;
  const int peer = peer_in_this_process(fd);
  if (peer < 0 || !get_info(peer, &received)) return Delivery::kDone;
  const uint64_t all = sent.tcpi_bytes_sent - sent.tcpi_bytes_retrans + sent.tcpi_notsent_bytes;
  if (received.tcpi_bytes_received >= all) return Delivery::kDone;
  return is_unread(peer) ? Delivery::kWaitsForReader : Delivery::kUnderWay;
}

}  // namespace

void note_sent(int fd) {
  for (size_t i = 0; i < sender_count; ++i) {
    if (senders[i] == fd) return;
  }
  if (sender_count < kMaxSenders) senders[sender_count++] = fd;
}

bool data_is_in_flight() {
  bool under_way = false;
  size_t kept = 0;
  for (size_t i = 0; i < sender_count; ++i) {
    const Delivery delivery = delivery_from(senders[i]);
    if (delivery == Delivery::kDone) continue;
    under_way |= delivery == Delivery::kUnderWay;
    senders[kept++] = senders[i];
  }
  sender_count = kept;
  return under_way;
}

void give_up_data_in_flight() {
  sender_count = 0;
}

}  // namespace heddle::rt
