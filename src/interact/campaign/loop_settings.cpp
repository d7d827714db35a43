#include "interact/campaign/loop_settings.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "interact/distance.h"
#include "interact/search/site_map.h"
#include "interact/search/targets.h"
#include "symbolize/symbolizer.h"

namespace heddle::interact {
namespace {

// Beyond that, distances take longer than they save: rarity and size choose alone.
constexpr uint64_t kMostDistances = uint64_t{1} << 24;
constexpr uint64_t kMostVisits = uint64_t{1} << 28;

using fuzz::DistanceTable;

fuzz::Guidance guidance_of(Guide guide) {
  switch (guide) {
    case Guide::kGraph:
      return fuzz::Guidance::kGraph;
    case Guide::kIsolated:
      return fuzz::Guidance::kTargets;
    case Guide::kUndirected:
      break;
  }
  return fuzz::Guidance::kNone;
}

class SettingsMaker {
 public:
  explicit SettingsMaker(const LoopSettingsRequest& request)
      : request_(request), graph_(request.graph.graph) {}

  fuzz::LoopSettings make() {
    fuzz::LoopSettings settings;
    settings.guidance = guidance_of(request_.guide);
    settings.seed = request_.seed;
    settings.room.limits = request_.shape.limits;
    settings.room.limits.longest_standard_input = request_.shape.standard_input;
    settings.room.limits.longest_file = request_.shape.file;
    for (size_t i = 0; i < request_.shape.limits.arguments.size(); ++i)
      settings.room.fixed.push_back(request_.shape.seeds.front().arguments[i].substr(
          0, request_.shape.limits.arguments[i].fixed_prefix));
    settings.graph = view();
    settings.distances = distances();
    settings.words = words();
    settings.ignored = request_.ignored.patterns;
    settings.golden = request_.golden;
    return settings;
  }

 private:
  fuzz::GraphView view() const {
    fuzz::GraphView view;
    std::vector<StatementIndex> changes;
    for (const ChangeNode& node : graph_.nodes)
      if (node.kind == ChangeNode::Kind::kChange && node.is_reached) changes.push_back(node.statement);
    const std::vector<StatementIndex> deepest = deepest_changes(request_.graph.flow.flow, changes);
    for (const ChangeNode& node : graph_.nodes)
      view.nodes.push_back(
          {.is_change = node.kind == ChangeNode::Kind::kChange,
           .is_flat = node.is_output || std::ranges::binary_search(deepest, node.statement)});
    for (const ChangeEdge& edge : graph_.edges)
      if (edge.is_next) view.edges.emplace_back(edge.from, edge.to);
    view.starts = graph_.starts;
    view.node_of_mark = nodes_of_marks();
    return view;
  }

  std::vector<uint32_t> nodes_of_marks() const {
    std::vector<concolic::Site> sites;
    for (const concolic::WatchedLine& line : request_.watched) {
      concolic::Site& site = sites.emplace_back();
      site.kind = concolic::SiteKind::kMark;
      site.file = line.file;
      site.place = {line.line, line.column};
    }
    const SiteMap map(request_.graph, sites);
    std::vector<uint32_t> nodes;
    for (concolic::SiteNumber site = 0; site < sites.size(); ++site) {
      const StatementIndex statement = map.of(site).statement;
      nodes.push_back(statement == kNone ? kNone : graph_.node_of(statement));
    }
    return nodes;
  }

  // Where the code of each edge begins.
  std::vector<concolic::Site> places_of_edges() const {
    const std::unique_ptr<Symbolizer> symbolizer = make_symbolizer();
    const ModuleName module{request_.head.string(), ""};
    std::vector<concolic::Site> sites;
    for (const uint64_t offset : request_.edge_offsets) {
      const Frame& frame = symbolizer->code(module, offset).front();
      concolic::Site& site = sites.emplace_back();
      site.kind = concolic::SiteKind::kMark;
      site.file = frame.file;
      site.place = {frame.line, frame.column};
    }
    return sites;
  }

  DistanceTable distances() const {
    DistanceTable table;
    const Flow& flow = request_.graph.flow.flow;
    const uint64_t nodes = graph_.nodes.size();
    if (request_.guide == Guide::kUndirected || request_.edge_offsets.size() * nodes > kMostDistances ||
        flow.points.size() * nodes > kMostVisits)
      return table;
    table.nodes = nodes;
    table.distances.resize(request_.edge_offsets.size() * nodes, DistanceTable::kNoWay);
    const std::vector<concolic::Site> sites = places_of_edges();
    const SiteMap map(request_.graph, sites);
    const DistanceFinder finder(flow);
    for (size_t node = 0; node < nodes; ++node) {
      const Distances to_node = finder.to(graph_.nodes[node].points);
      std::map<StatementIndex, uint16_t> known;
      for (concolic::SiteNumber edge = 0; edge < sites.size(); ++edge) {
        const SiteMap::Mapped& mapped = map.of(edge);
        if (mapped.statement == kNone) continue;
        const auto [found, is_new] = known.try_emplace(mapped.statement, DistanceTable::kNoWay);
        if (is_new) found->second = least(to_node, mapped.points);
        table.distances[edge * nodes + node] = found->second;
      }
    }
    return table;
  }

  static uint16_t least(const Distances& distances, const std::vector<PointIndex>& points) {
    uint32_t result = DistanceTable::kNoWay;
    for (const PointIndex point : points)
      if (const std::optional<uint32_t> distance = distances.from(point))
        result = std::min(result, *distance);
    return static_cast<uint16_t>(result);
  }

  std::vector<std::string> words() const {
    const OptionWords& known = request_.words;
    std::vector<std::string> words(known.keywords.begin(), known.keywords.end());
    words.insert(words.end(), known.dashed.begin(), known.dashed.end());
    for (const OptionWords::Letter& letter : known.letters) words.push_back({'-', letter.letter});
    for (const OptionWords::Long& name : known.longs) {
      words.push_back("--" + name.name);
      if (name.value != OptionWords::Value::kFlag) words.push_back("--" + name.name + "=");
    }
    words.insert(words.end(), request_.dictionary.begin(), request_.dictionary.end());
    return words;
  }

  const LoopSettingsRequest& request_;
  const ChangeGraph& graph_;
};

}  // namespace

fuzz::LoopSettings make_loop_settings(const LoopSettingsRequest& request) {
  return SettingsMaker(request).make();
}

}  // namespace heddle::interact
