// Which handler answers which path. Routes may be added and removed while requests are dispatched.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "request.h"
#include "response.h"

namespace web {

using Handler = std::function<Response(Request&)>;

/// Patterns are paths whose segments may be `:name` (one segment) or, as the last one, `*name` (all of the
/// rest). Literal segments win over `:name`, and that over `*name`.
class Router {
 public:
  struct RouteInfo {
    std::string method;
    std::string pattern;
    std::uint64_t hits = 0;
  };

  /// Replaces the handler if the route exists. False if the pattern is malformed.
  bool add(std::string_view method, std::string_view pattern, Handler handler);
  bool remove(std::string_view method, std::string_view pattern);

  /// Calls the handler of the route, outside of any lock; 404 and 405 if there is none. HEAD falls back to
  /// GET.
  Response dispatch(Request& request) const;

  /// All routes, sorted by pattern and method.
  std::vector<RouteInfo> routes() const;
  std::size_t size() const;

 private:
  struct Route {
    Handler handler;
    std::atomic<std::uint64_t> hits{0};
  };
  struct Node {
    std::map<std::string, std::unique_ptr<Node>, std::less<>> literals;
    std::unique_ptr<Node> parameter;
    std::string parameter_name;
    std::unique_ptr<Node> rest;
    std::string rest_name;
    std::map<std::string, std::shared_ptr<Route>, std::less<>> routes;  // by method
  };
  struct Segment {
    enum class Kind { kLiteral, kParameter, kRest } kind;
    std::string text;
  };

  static bool parse_pattern(std::string_view pattern, std::vector<Segment>& segments);
  static const Node* match(const Node& node, const std::vector<std::string_view>& parts, std::size_t index,
                           std::map<std::string, std::string>& params);
  static void collect(const Node& node, const std::string& prefix, std::vector<RouteInfo>& out);
  static const Node* step(const Node& node, const Segment& segment);
  static std::string allowed_methods(const Node& node);

  mutable std::shared_mutex mutex_;
  Node root_;
  std::size_t size_ = 0;
};

}  // namespace web
