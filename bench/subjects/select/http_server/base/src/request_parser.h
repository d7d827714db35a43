// Parses HTTP/1.x requests from bytes that arrive in pieces of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "request.h"

namespace web {

/// What a request may cost at most. Beyond them the parser answers with the status that RFC 9110 names.
struct ParserLimits {
  std::size_t request_line = 4096;
  std::size_t header_bytes = 8192;
  std::size_t header_count = 64;
  std::uint64_t body = 1 << 20;
};

/// Feed it bytes until `done()` or `failed()`. After a request is taken with `take()`, it is ready for the
/// next one of the same connection: `feed` never consumes bytes that belong to the next request.
class RequestParser {
 public:
  explicit RequestParser(ParserLimits limits = {}) : limits_(limits) {}

  /// Returns how many bytes were consumed: all, unless the request ended or failed before.
  std::size_t feed(std::string_view data);

  bool done() const { return state_ == State::kDone; }
  bool failed() const { return state_ == State::kFailed; }
  /// Whether nothing of a request has arrived: a connection may be closed here without harm.
  bool idle() const { return state_ == State::kRequestLine && line_.empty(); }
  /// The status to answer with after a failure, and what was wrong.
  int error_status() const { return error_status_; }
  const std::string& error_reason() const { return error_reason_; }

  /// Whether the client waits for "100 Continue" before it sends the body; true once per request.
  bool take_expect_continue();

  Request take();

 private:
  enum class State {
    kRequestLine,
    kHeaders,
    kFixedBody,
    kChunkSize,
    kChunkData,
    kChunkEnd,
    kTrailers,
    kDone,
    kFailed
  };

  bool take_line(std::string_view& data, std::size_t limit, int status);
  void parse_request_line();
  void parse_target();
  void parse_header_line();
  void headers_complete();
  void parse_chunk_size();
  void append_body(std::string_view& data);
  void fail(int status, std::string reason);
  void reset();

  ParserLimits limits_;
  State state_ = State::kRequestLine;
  std::string line_;
  std::size_t header_bytes_ = 0;
  std::uint64_t body_left_ = 0;
  bool expect_continue_ = false;
  int error_status_ = 0;
  std::string error_reason_;
  Request request_;
};

}  // namespace web
