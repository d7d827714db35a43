// One request as the parser hands it out.
#pragma once

#include <map>
#include <string>

#include "headers.h"

namespace web {

struct Request {
  std::string method;
  std::string target;  // as it was sent
  std::string path;    // decoded and normalised
  std::string query;   // as it was sent, without the question mark
  int minor_version = 1;
  Headers headers;
  std::string body;

  /// What the router found for the named parts of the pattern.
  std::map<std::string, std::string> params;

  /// Whether the connection may stay open after the response: yes by default since HTTP/1.1.
  bool wants_keep_alive() const {
    if (headers.has_token("Connection", "close")) return false;
    return minor_version >= 1 || headers.has_token("Connection", "keep-alive");
  }
};

}  // namespace web
