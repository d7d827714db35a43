// One response, and how it goes over the wire.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "headers.h"

namespace web {

/// Bodies are shared, since the same cached file may be on its way to many clients.
using Body = std::shared_ptr<const std::string>;

struct Response {
  int status = 200;
  Headers headers;
  Body body;

  std::size_t body_size() const { return body ? body->size() : 0; }

  /// Head and body as bytes; of a response to HEAD only the head, with the length the body would have.
  std::string serialise(bool head_only = false) const;

  static Response text(std::string content, int status = 200);
  static Response json(std::string content, int status = 200);
  /// A short page with the status and, if given, what was wrong.
  static Response error(int status, std::string_view detail = {});
  static Response redirect(std::string_view location, bool permanent = false);
  static Response empty(int status);
};

/// "Not Found" for 404; "Unknown" for what has no name here.
std::string_view reason_phrase(int status);

/// Whether a response of this status never has a body.
bool status_has_no_body(int status);

}  // namespace web
