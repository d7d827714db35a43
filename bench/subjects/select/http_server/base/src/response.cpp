#include "response.h"

#include <utility>

namespace web {

std::string_view reason_phrase(int status) {
  switch (status) {
    case 100:
      return "Continue";
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 416:
      return "Range Not Satisfiable";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Unknown";
  }
}

bool status_has_no_body(int status) {
  return status < 200 || status == 204 || status == 304;
}

std::string Response::serialise(bool head_only) const {
  std::string out = "HTTP/1.1 " + std::to_string(status) + " ";
  out += reason_phrase(status);
  out += "\r\n";
  headers.write_to(out);
  if (!status_has_no_body(status)) {
    out += "Content-Length: " + std::to_string(body_size()) + "\r\n";
  }
  out += "\r\n";
  if (!head_only && !status_has_no_body(status) && body) out += *body;
  return out;
}

Response Response::text(std::string content, int status) {
  Response response;
  response.status = status;
  response.headers.set("Content-Type", "text/plain; charset=utf-8");
  response.body = std::make_shared<const std::string>(std::move(content));
  return response;
}

Response Response::json(std::string content, int status) {
  Response response = text(std::move(content), status);
  response.headers.set("Content-Type", "application/json");
  return response;
}

Response Response::error(int status, std::string_view detail) {
  std::string page = std::to_string(status) + " ";
  page += reason_phrase(status);
  if (!detail.empty()) {
    page += ": ";
    page += detail;
  }
  page += "\n";
  return text(std::move(page), status);
}

Response Response::redirect(std::string_view location, bool permanent) {
  Response response = empty(permanent ? 301 : 302);
  response.headers.set("Location", location);
  return response;
}

Response Response::empty(int status) {
  Response response;
  response.status = status;
  return response;
}

}  // namespace web
