#include "router.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "text.h"

namespace web {

bool Router::parse_pattern(std::string_view pattern, std::vector<Segment>& segments) {
  if (pattern.empty() || pattern.front() != '/') return false;
  if (pattern == "/") return true;
  const std::vector<std::string_view> parts = split(pattern.substr(1), '/');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view part = parts[i];
    const bool last = i + 1 == parts.size();
    if (part.empty() && !last) return false;
    if (part.substr(0, 1) == ":" || part.substr(0, 1) == "*") {
      const bool rest = part.front() == '*';
      if (part.size() == 1 || (rest && !last)) return false;
      segments.push_back(
          {rest ? Segment::Kind::kRest : Segment::Kind::kParameter, std::string(part.substr(1))});
    } else {
      segments.push_back({Segment::Kind::kLiteral, std::string(part)});
    }
  }
  return true;
}

bool Router::add(std::string_view method, std::string_view pattern, Handler handler) {
  std::vector<Segment> segments;
  if (!is_token(method) || !handler || !parse_pattern(pattern, segments)) return false;
  auto route = std::make_shared<Route>();
  route->handler = std::move(handler);

  std::unique_lock lock(mutex_);
  Node* node = &root_;
  for (const Segment& segment : segments) {
    std::unique_ptr<Node>* next = nullptr;
    std::string* name = nullptr;
    switch (segment.kind) {
      case Segment::Kind::kLiteral:
        next = &node->literals[segment.text];
        break;
      case Segment::Kind::kParameter:
        next = &node->parameter;
        name = &node->parameter_name;
        break;
      case Segment::Kind::kRest:
        next = &node->rest;
        name = &node->rest_name;
        break;
    }
    if (!*next) {
      *next = std::make_unique<Node>();
      if (name) *name = segment.text;
    } else if (name && *name != segment.text) {
      return false;  // one place cannot have two names
    }
    node = next->get();
  }
  auto& slot = node->routes[std::string(method)];
  if (!slot) ++size_;
  slot = std::move(route);
  return true;
}

const Router::Node* Router::step(const Node& node, const Segment& segment) {
  switch (segment.kind) {
    case Segment::Kind::kLiteral: {
      const auto found = node.literals.find(segment.text);
      return found == node.literals.end() ? nullptr : found->second.get();
    }
    case Segment::Kind::kParameter:
      return node.parameter_name == segment.text ? node.parameter.get() : nullptr;
    case Segment::Kind::kRest:
      return node.rest_name == segment.text ? node.rest.get() : nullptr;
  }
  return nullptr;
}

bool Router::remove(std::string_view method, std::string_view pattern) {
  std::vector<Segment> segments;
  if (!parse_pattern(pattern, segments)) return false;
  std::unique_lock lock(mutex_);
  const Node* node = &root_;
  for (const Segment& segment : segments) {
    node = step(*node, segment);
    if (!node) return false;
  }
  // The way down was read-only; the node itself belongs to this router.
  auto& routes = const_cast<Node*>(node)->routes;
  const auto found = routes.find(method);
  if (found == routes.end()) return false;
  routes.erase(found);
  --size_;
  return true;
}

/// The node with routes that fits best, or null. Backtracks from literals to parameters to the rest.
const Router::Node* Router::match(const Node& node, const std::vector<std::string_view>& parts,
                                  std::size_t index, std::map<std::string, std::string>& params) {
  if (index == parts.size()) return node.routes.empty() ? nullptr : &node;
  const auto literal = node.literals.find(parts[index]);
  if (literal != node.literals.end()) {
    if (const Node* found = match(*literal->second, parts, index + 1, params)) return found;
  }
  if (node.parameter && !parts[index].empty()) {
    if (const Node* found = match(*node.parameter, parts, index + 1, params)) {
      params[node.parameter_name] = parts[index];
      return found;
    }
  }
  if (node.rest && !node.rest->routes.empty()) {
    std::string rest(parts[index]);
    for (std::size_t i = index + 1; i < parts.size(); ++i) {
      rest += '/';
      rest += parts[i];
    }
    params[node.rest_name] = std::move(rest);
    return node.rest.get();
  }
  return nullptr;
}

/// The value of the Allow header, RFC 9110 section 10.2.1. HEAD is answered wherever GET is.
std::string Router::allowed_methods(const Node& node) {
  std::string allowed;
  for (const auto& [method, unused] : node.routes) {
    if (!allowed.empty()) allowed += ", ";
    allowed += method;
  }
  if (node.routes.contains("GET") && !node.routes.contains("HEAD")) allowed += ", HEAD";
  return allowed;
}

Response Router::dispatch(Request& request) const {
  std::vector<std::string_view> parts;
  if (request.path.size() > 1) parts = split(std::string_view(request.path).substr(1), '/');
  std::shared_ptr<Route> route;
  std::string allowed;
  {
    std::shared_lock lock(mutex_);
    const Node* node = match(root_, parts, 0, request.params);
    if (!node) return Response::error(404, request.path);
    auto found = node->routes.find(request.method);
    if (found == node->routes.end() && request.method == "HEAD") found = node->routes.find("GET");
    if (found != node->routes.end()) {
      route = found->second;
    } else {
      allowed = allowed_methods(*node);
    }
  }
  if (!route) {
    Response response = Response::error(405, request.method);
    response.headers.set("Allow", allowed);
    return response;
  }
  route->hits.fetch_add(1, std::memory_order_relaxed);
  return route->handler(request);
}

void Router::collect(const Node& node, const std::string& prefix, std::vector<RouteInfo>& out) {
  for (const auto& [method, route] : node.routes) {
    out.push_back({method, prefix.empty() ? "/" : prefix, route->hits.load(std::memory_order_relaxed)});
  }
  for (const auto& [text, next] : node.literals) collect(*next, prefix + "/" + text, out);
  if (node.parameter) collect(*node.parameter, prefix + "/:" + node.parameter_name, out);
  if (node.rest) collect(*node.rest, prefix + "/*" + node.rest_name, out);
}

std::vector<Router::RouteInfo> Router::routes() const {
  std::vector<RouteInfo> infos;
  {
    std::shared_lock lock(mutex_);
    collect(root_, "", infos);
  }
  std::sort(infos.begin(), infos.end(), [](const RouteInfo& a, const RouteInfo& b) {
    return std::tie(a.pattern, a.method) < std::tie(b.pattern, b.method);
  });
  return infos;
}

std::size_t Router::size() const {
  std::shared_lock lock(mutex_);
  return size_;
}

}  // namespace web
