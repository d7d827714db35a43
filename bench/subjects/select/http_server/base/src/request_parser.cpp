#include "request_parser.h"

#include <algorithm>
#include <utility>

#include "text.h"

namespace web {

std::size_t RequestParser::feed(std::string_view data) {
  const std::size_t offered = data.size();
  while (!data.empty() && state_ != State::kDone && state_ != State::kFailed) {
    switch (state_) {
      case State::kRequestLine:
        if (!take_line(data, limits_.request_line, 414)) break;
        // Empty lines before a request are ignored, RFC 9112 section 2.2.
        if (!line_.empty()) parse_request_line();
        line_.clear();
        break;
      case State::kHeaders:
      case State::kTrailers:
        if (!take_line(data, limits_.header_bytes, 431)) break;
        parse_header_line();
        line_.clear();
        break;
      case State::kChunkSize:
        if (!take_line(data, 256, 400)) break;
        parse_chunk_size();
        line_.clear();
        break;
      case State::kChunkEnd:
        if (!take_line(data, 2, 400)) break;
        if (!line_.empty()) {
          fail(400, "chunk is longer than its size");
        } else {
          state_ = State::kChunkSize;
        }
        break;
      case State::kFixedBody:
      case State::kChunkData:
        append_body(data);
        break;
      case State::kDone:
      case State::kFailed:
        break;
    }
  }
  return offered - data.size();
}

/// Moves bytes to `line_` until its line feed; true if the line is complete, without its end.
bool RequestParser::take_line(std::string_view& data, std::size_t limit, int status) {
  const std::size_t end = data.find('\n');
  line_ += data.substr(0, end);
  data.remove_prefix(end == std::string_view::npos ? data.size() : end + 1);
  if (line_.size() > limit) {
    fail(status, "line is too long");
    return false;
  }
  if (end == std::string_view::npos) return false;
  if (!line_.empty() && line_.back() == '\r') line_.pop_back();
  return true;
}

void RequestParser::parse_request_line() {
  const std::vector<std::string_view> parts = split(line_, ' ');
  if (parts.size() != 3) return fail(400, "request line has not three parts");
  if (!is_token(parts[0])) return fail(400, "method is not a token");
  if (parts[2].substr(0, 5) != "HTTP/") return fail(400, "no HTTP version");
  if (parts[2] != "HTTP/1.0" && parts[2] != "HTTP/1.1") return fail(505, "version is not supported");
  request_.method = parts[0];
  request_.target = parts[1];
  request_.minor_version = parts[2].back() - '0';
  parse_target();
  if (state_ != State::kFailed) state_ = State::kHeaders;
}

void RequestParser::parse_target() {
  std::string_view target = request_.target;
  if (target == "*") {
    if (request_.method != "OPTIONS") return fail(400, "* is a target of OPTIONS only");
    request_.path = "*";
    return;
  }
  // The absolute form is what proxies get; the authority does not matter here.
  if (target.substr(0, 7) == "http://") {
    const std::size_t slash = target.find('/', 7);
    target = slash == std::string_view::npos ? std::string_view("/") : target.substr(slash);
  }
  const std::size_t question = target.find('?');
  if (question != std::string_view::npos) request_.query = target.substr(question + 1);
  const auto decoded = percent_decode(target.substr(0, question));
  if (!decoded || decoded->find('\0') != std::string::npos) return fail(400, "target has a bad escape");
  const auto normal = normalise_path(*decoded);
  if (!normal) return fail(400, "target leads out of the root");
  request_.path = *normal;
}

void RequestParser::parse_header_line() {
  const bool trailer = state_ == State::kTrailers;
  if (line_.empty()) {
    if (trailer) {
      state_ = State::kDone;
    } else {
      headers_complete();
    }
    return;
  }
  header_bytes_ += line_.size();
  if (header_bytes_ > limits_.header_bytes) return fail(431, "header is too large");
  if (request_.headers.size() >= limits_.header_count) return fail(431, "too many header fields");
  const std::size_t colon = line_.find(':');
  if (colon == std::string::npos) return fail(400, "header field has no colon");
  const std::string_view name = std::string_view(line_).substr(0, colon);
  // Also refuses continuation lines and space before the colon, both ways to smuggle requests.
  if (!is_token(name)) return fail(400, "header name is not a token");
  // Trailers may not change what the header has said; they are checked and dropped.
  if (!trailer) request_.headers.add(name, trim(std::string_view(line_).substr(colon + 1)));
}

void RequestParser::headers_complete() {
  const Headers& headers = request_.headers;
  if (request_.minor_version >= 1 && headers.all("Host").size() != 1) return fail(400, "needs one Host");
  const bool chunked = headers.has_token("Transfer-Encoding", "chunked");
  const std::vector<std::string_view> lengths = headers.all("Content-Length");
  if (headers.contains("Transfer-Encoding")) {
    if (!equals_ignoring_case(headers.joined("Transfer-Encoding"), "chunked")) {
      return fail(501, "transfer encoding is not supported");
    }
    if (!lengths.empty()) return fail(400, "both chunked and of a given length");
  }
  for (const std::string_view length : lengths) {
    const auto value = parse_decimal(length);
    if (!value || length != lengths.front()) return fail(400, "bad Content-Length");
    body_left_ = *value;
  }
  if (body_left_ > limits_.body) return fail(413, "body is too large");
  expect_continue_ = headers.has_token("Expect", "100-continue") && (chunked || body_left_ > 0);
  if (chunked) {
    state_ = State::kChunkSize;
  } else {
    state_ = body_left_ > 0 ? State::kFixedBody : State::kDone;
  }
}

void RequestParser::parse_chunk_size() {
  const std::string_view digits = trim(std::string_view(line_).substr(0, line_.find(';')));
  const auto size = parse_hex(digits);
  if (!size) return fail(400, "bad chunk size");
  if (*size > limits_.body - request_.body.size()) return fail(413, "body is too large");
  body_left_ = *size;
  state_ = *size == 0 ? State::kTrailers : State::kChunkData;
}

void RequestParser::append_body(std::string_view& data) {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(body_left_, data.size()));
  request_.body += data.substr(0, count);
  data.remove_prefix(count);
  body_left_ -= count;
  if (body_left_ == 0) state_ = state_ == State::kFixedBody ? State::kDone : State::kChunkEnd;
}

bool RequestParser::take_expect_continue() {
  return std::exchange(expect_continue_, false);
}

Request RequestParser::take() {
  Request taken = std::move(request_);
  reset();
  return taken;
}

void RequestParser::fail(int status, std::string reason) {
  state_ = State::kFailed;
  error_status_ = status;
  error_reason_ = std::move(reason);
}

void RequestParser::reset() {
  state_ = State::kRequestLine;
  line_.clear();
  header_bytes_ = 0;
  body_left_ = 0;
  expect_continue_ = false;
  request_ = Request();
}

}  // namespace web
