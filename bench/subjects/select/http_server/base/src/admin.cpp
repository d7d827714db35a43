#include "admin.h"

#include <string>
#include <utility>

#include "text.h"

namespace web {
namespace {

/// A number from the query, or what stands for it.
std::uint64_t number_in_query(const Request& request, const std::string& name, std::uint64_t otherwise) {
  const auto values = parse_query(request.query);
  const auto found = values.find(name);
  if (found == values.end()) return otherwise;
  return parse_decimal(found->second).value_or(otherwise);
}

std::string field(std::string_view name, std::uint64_t value) {
  return '"' + std::string(name) + "\":" + std::to_string(value);
}

std::string text_field(std::string_view name, std::string_view value) {
  return '"' + std::string(name) + "\":\"" + json_escape(value) + '"';
}

/// Joins the objects of a JSON array.
template <typename Items, typename Format>
std::string json_array(const Items& items, const Format& format) {
  std::string text = "[";
  for (const auto& item : items) {
    if (text.size() > 1) text += ',';
    text += format(item);
  }
  return text + "]";
}

std::string status_json(const AdminParts& parts) {
  std::string text = "{";
  const auto add = [&text](const std::string& name, const std::string& object) {
    if (text.size() > 1) text += ',';
    text += '"' + name + "\":{" + object + '}';
  };
  if (parts.server) {
    const auto connections = parts.server->connections().stats();
    add("connections", field("open", connections.open) + ',' + field("busy", connections.busy) + ',' +
                           field("peak", connections.peak) + ',' + field("reaped", connections.reaped));
    const auto pool = parts.server->pool_stats();
    add("pool", field("active", pool.active) + ',' + field("queued", pool.queued));
  }
  if (parts.cache) {
    const auto cache = parts.cache->stats();
    add("cache", field("hits", cache.hits) + ',' + field("misses", cache.misses) + ',' +
                     field("files", cache.files) + ',' + field("bytes", cache.bytes));
  }
  if (parts.sessions) {
    const auto sessions = parts.sessions->stats();
    add("sessions", field("live", sessions.live) + ',' + field("created", sessions.created) + ',' +
                        field("expired", sessions.expired));
  }
  return text + "}";
}

void add_server_routes(Router& router, Server& server) {
  router.add("GET", "/-/connections", [&server](Request&) {
    return Response::json(json_array(server.connections().list(), [](const auto& connection) {
      return '{' + field("id", connection.id) + ',' + text_field("peer", connection.peer) + ',' +
             field("requests", connection.requests) + '}';
    }));
  });
  router.add("POST", "/-/reap", [&server](Request& request) {
    const auto idle = static_cast<Millis>(number_in_query(request, "idle", 60'000));
    return Response::text(std::to_string(server.connections().close_idle(idle)));
  });
}

void add_cache_routes(Router& router, FileCache& cache) {
  router.add("GET", "/-/cache", [&cache](Request& request) {
    return Response::json(
        json_array(cache.hottest(number_in_query(request, "limit", 10)), [](const auto& entry) {
          return '{' + text_field("path", entry.path) + ',' + field("bytes", entry.bytes) + ',' +
                 field("uses", entry.uses) + '}';
        }));
  });
  router.add("POST", "/-/cache/invalidate", [&cache](Request& request) {
    auto values = parse_query(request.query);
    return Response::text(std::to_string(cache.invalidate_below(values["below"])));
  });
}

}  // namespace

void add_admin_routes(Router& router, AdminParts parts) {
  router.add("GET", "/-/status", [parts](Request&) { return Response::json(status_json(parts)); });
  router.add("GET", "/-/routes", [&router](Request&) {
    return Response::json(json_array(router.routes(), [](const auto& route) {
      return '{' + text_field("method", route.method) + ',' + text_field("pattern", route.pattern) + '}';
    }));
  });
  if (parts.metrics) {
    router.add("GET", "/-/metrics", [parts](Request&) { return Response::text(parts.metrics->render()); });
  }
  if (parts.server) add_server_routes(router, *parts.server);
  if (parts.cache) add_cache_routes(router, *parts.cache);
  if (parts.sessions) {
    router.add("POST", "/-/sessions/sweep",
               [parts](Request&) { return Response::text(std::to_string(parts.sessions->sweep())); });
  }
  if (parts.log) {
    router.add("GET", "/-/log", [parts](Request& request) {
      std::string text;
      for (const LogEntry& entry : parts.log->recent(number_in_query(request, "limit", 20))) {
        text += format_entry(entry) + "\n";
      }
      return Response::text(std::move(text));
    });
  }
}

void add_channel_routes(Router& router, ChannelHub& hub) {
  router.add("GET", "/channels/:name", [&hub](Request& request) {
    const auto channel = hub.open(request.params["name"]);
    if (!channel) return Response::error(503, "no more channels");
    const auto messages = channel->wait_after(number_in_query(request, "after", 0));
    return Response::json(json_array(messages, [](const Message& message) {
      return '{' + field("number", message.number) + ',' + text_field("text", message.text) + '}';
    }));
  });
  router.add("POST", "/channels/:name", [&hub](Request& request) {
    const auto channel = hub.open(request.params["name"]);
    const std::uint64_t number = channel ? channel->publish(request.body) : 0;
    if (number == 0) return Response::error(503, "channel is closed");
    return Response::text(std::to_string(number), 201);
  });
  router.add("DELETE", "/channels/:name", [&hub](Request& request) {
    return hub.remove(request.params["name"]) ? Response::empty(204) : Response::error(404);
  });
}

}  // namespace web
