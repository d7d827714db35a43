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

enum class Delivery { kDone, kUnderWay, kWaitsForReader };

Delivery delivery_from(int fd) {
  tcp_info sent{};
  tcp_info received{};
  if (!get_info(fd, &sent)) return Delivery::kDone;
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
