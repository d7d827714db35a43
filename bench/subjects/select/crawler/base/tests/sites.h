// Sites of several shapes for tests.
#pragma once

#include <string>

#include "fetcher.h"

namespace crawl {

enum class Shape { kChain, kStar, kTree, kRing, kMesh };
inline constexpr const char* kShapeNames[] = {"Chain", "Star", "Tree", "Ring", "Mesh"};
inline constexpr int kSitePages = 13;

inline std::string page_url(int page, int hosts) {
  return "http://h" + std::to_string(page % hosts) + ".test/p" + std::to_string(page);
}

/// Pages 0 to 12, spread over some hosts; all can be reached from page 0.
inline void build_site(MemorySite& site, Shape shape, int hosts) {
  for (int page = 0; page < kSitePages; ++page) {
    std::string body =
        "<title>Page " + std::to_string(page) + "</title><p>heron number" + std::to_string(page) + "</p>";
    const auto link = [&](int target) {
      if (target < kSitePages) body += "<a href=\"" + page_url(target, hosts) + "\">next</a>";
    };
    switch (shape) {
      case Shape::kChain:
        link(page + 1);
        break;
      case Shape::kStar:
        for (int target = 1; page == 0 && target < kSitePages; ++target) link(target);
        break;
      case Shape::kTree:
        for (int child = 1; child <= 3; ++child) link(page * 3 + child);
        break;
      case Shape::kRing:
        link((page + 1) % kSitePages);
        break;
      case Shape::kMesh:
        for (int step = 1; step <= 5; ++step) link((page + step * step) % kSitePages);
        break;
    }
    site.add_page(page_url(page, hosts), body);
  }
}

/// The addresses with which a crawl of the whole site begins: page 0, and a missing page on each other host.
inline std::vector<std::string> seeds_of(int hosts) {
  std::vector<std::string> seeds = {page_url(0, hosts)};
  for (int host = 1; host < hosts; ++host)
    seeds.push_back("http://h" + std::to_string(host) + ".test/missing");
  return seeds;
}

}  // namespace crawl
