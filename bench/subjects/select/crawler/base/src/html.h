// Finds in a page what a crawler wants: its links, its title, its words, and what it asks of robots.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "url.h"

namespace crawl {

struct ExtractedPage {
  std::string title;
  std::string text;         // words separated by single spaces, without scripts and styles
  std::vector<Url> links;   // in the order of the page, each once
  std::vector<Url> images;  // likewise
  bool noindex = false;
  bool nofollow = false;
};

/// Forgiving as browsers are: any input gives a page. `address` is what relative links are relative to.
ExtractedPage extract(std::string_view html, const Url& address);

/// "&amp;" is "&"; what is not known stays as it is.
std::string decode_entities(std::string_view text);

}  // namespace crawl
