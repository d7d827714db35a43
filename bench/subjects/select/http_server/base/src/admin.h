// What an operator can see and do through the server itself, below /-/.
#pragma once

#include "access_log.h"
#include "channel.h"
#include "file_cache.h"
#include "router.h"
#include "server.h"
#include "session_store.h"

namespace web {

/// All optional; only routes whose parts are there are added.
struct AdminParts {
  Server* server = nullptr;
  MetricsRegistry* metrics = nullptr;
  FileCache* cache = nullptr;
  SessionStore* sessions = nullptr;
  AccessLog* log = nullptr;
  ChannelHub* channels = nullptr;
};

/// GET /-/metrics, /-/status, /-/connections, /-/log?limit=N, /-/cache?limit=N, /-/routes;
/// POST /-/reap?idle=MILLIS, /-/cache/invalidate?below=PREFIX, /-/sessions/sweep.
void add_admin_routes(Router& router, AdminParts parts);

/// GET /channels/:name?after=N waits for messages; POST publishes the body; DELETE closes the channel.
void add_channel_routes(Router& router, ChannelHub& hub);

}  // namespace web
