#include "html.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

namespace crawl {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// A tag with its attributes, names in lower case.
struct Tag {
  std::string name;
  bool closing = false;
  std::map<std::string, std::string> attributes;
};

/// Reads the page from front to back as text and tags.
class Tokenizer {
 public:
  explicit Tokenizer(std::string_view html) : html_(html) {}

  bool at_end() const { return at_ >= html_.size(); }

  /// The text up to the next tag.
  std::string_view text() {
    const std::size_t begin = at_;
    while (at_ < html_.size() && !(html_[at_] == '<' && tag_begins(at_ + 1))) ++at_;
    return html_.substr(begin, at_ - begin);
  }

  /// The tag here; nothing for comments and declarations, which are skipped.
  std::optional<Tag> tag() {
    if (html_.substr(at_, 4) == "<!--") {
      skip_past("-->");
      return std::nullopt;
    }
    if (html_.substr(at_, 2) == "<!" || html_.substr(at_, 2) == "<?") {
      skip_past(">");
      return std::nullopt;
    }
    ++at_;
    Tag tag;
    if (peek() == '/') {
      tag.closing = true;
      ++at_;
    }
    while (at_ < html_.size() && !is_space(html_[at_]) && html_[at_] != '>' && html_[at_] != '/') {
      tag.name += html_[at_++];
    }
    tag.name = lower(tag.name);
    while (attribute(tag)) {
    }
    return tag;
  }

  /// Everything up to the end tag of that name: the content of scripts is no markup.
  std::string_view raw_text(std::string_view name) {
    const std::size_t begin = at_;
    const std::string end = "</" + std::string(name);
    while (at_ < html_.size() && lower(html_.substr(at_, end.size())) != end) ++at_;
    return html_.substr(begin, at_ - begin);
  }

 private:
  char peek() const { return at_ < html_.size() ? html_[at_] : '\0'; }

  bool tag_begins(std::size_t at) const {
    if (at >= html_.size()) return false;
    const char c = html_[at];
    return std::isalpha(static_cast<unsigned char>(c)) || c == '/' || c == '!' || c == '?';
  }

  void skip_past(std::string_view end) {
    const std::size_t found = html_.find(end, at_);
    at_ = found == std::string_view::npos ? html_.size() : found + end.size();
  }

  /// Reads one attribute; false at the end of the tag.
  bool attribute(Tag& tag) {
    while (at_ < html_.size() && (is_space(html_[at_]) || html_[at_] == '/')) ++at_;
    if (at_ >= html_.size()) return false;
    if (html_[at_] == '>') {
      ++at_;
      return false;
    }
    std::string name;
    while (at_ < html_.size() && !is_space(html_[at_]) && html_[at_] != '=' && html_[at_] != '>' &&
           html_[at_] != '/') {
      name += html_[at_++];
    }
    while (is_space(peek())) ++at_;
    std::string value;
    if (peek() == '=') {
      ++at_;
      while (is_space(peek())) ++at_;
      value = attribute_value();
    } else if (name.empty()) {
      ++at_;  // a stray character
      return true;
    }
    tag.attributes.emplace(lower(name), decode_entities(value));
    return true;
  }

  std::string attribute_value() {
    const char quote = peek();
    std::string value;
    if (quote == '"' || quote == '\'') {
      ++at_;
      while (at_ < html_.size() && html_[at_] != quote) value += html_[at_++];
      if (at_ < html_.size()) ++at_;
    } else {
      while (at_ < html_.size() && !is_space(html_[at_]) && html_[at_] != '>') value += html_[at_++];
    }
    return value;
  }

  std::string_view html_;
  std::size_t at_ = 0;
};

void append_words(std::string& out, std::string_view text) {
  for (const char c : decode_entities(text)) {
    if (!is_space(c)) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
}

void append_once(std::vector<Url>& urls, std::optional<Url> url) {
  if (url && std::find(urls.begin(), urls.end(), *url) == urls.end()) urls.push_back(std::move(*url));
}

/// The address in "5; url=/next" of a meta refresh.
std::string refresh_target(const std::string& content) {
  const std::size_t at = lower(content).find("url=");
  return at == std::string::npos ? "" : content.substr(at + 4);
}

/// What the tags of a page add up to.
class Collector {
 public:
  Collector(const Url& address, ExtractedPage& page) : base_(address), page_(page) {}

  void see(const Tag& tag) {
    const auto value = [&tag](const char* name) -> const std::string* {
      const auto found = tag.attributes.find(name);
      return found == tag.attributes.end() ? nullptr : &found->second;
    };
    if (tag.name == "base") {
      if (const std::string* href = value("href")) {
        if (const auto url = base_.resolve(*href)) base_ = *url;
      }
    } else if (tag.name == "a" || tag.name == "area") {
      const std::string* rel = value("rel");
      if (rel && lower(*rel).find("nofollow") != std::string::npos) return;
      if (const std::string* href = value("href")) append_once(page_.links, base_.resolve(*href));
    } else if (tag.name == "frame" || tag.name == "iframe") {
      if (const std::string* src = value("src")) append_once(page_.links, base_.resolve(*src));
    } else if (tag.name == "img") {
      if (const std::string* src = value("src")) append_once(page_.images, base_.resolve(*src));
    } else if (tag.name == "meta") {
      const std::string* content = value("content");
      if (!content) return;
      const std::string* name = value("name");
      const std::string* equiv = value("http-equiv");
      if (name && lower(*name) == "robots") {
        page_.noindex |= lower(*content).find("noindex") != std::string::npos;
        page_.nofollow |= lower(*content).find("nofollow") != std::string::npos;
      } else if (equiv && lower(*equiv) == "refresh" && !refresh_target(*content).empty()) {
        append_once(page_.links, base_.resolve(refresh_target(*content)));
      }
    }
  }

 private:
  Url base_;
  ExtractedPage& page_;
};

}  // namespace

std::string decode_entities(std::string_view text) {
  static const std::map<std::string_view, std::string_view> kNamed = {
      {"amp", "&"}, {"lt", "<"}, {"gt", ">"}, {"quot", "\""}, {"apos", "'"}, {"nbsp", " "}};
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '&') {
      out += text[i];
      continue;
    }
    const std::size_t end = text.find(';', i);
    const std::string_view name =
        end == std::string_view::npos || end - i > 8 ? std::string_view() : text.substr(i + 1, end - i - 1);
    const auto found = kNamed.find(name);
    if (found != kNamed.end()) {
      out += found->second;
      i = end;
    } else if (name.size() > 1 && name[0] == '#' &&
               name.find_first_not_of("0123456789", 1) == std::string_view::npos) {
      const int code = std::stoi(std::string(name.substr(1)));
      if (code > 0 && code < 128) {
        out += static_cast<char>(code);
      } else {
        out += '?';
      }
      i = end;
    } else {
      out += '&';
    }
  }
  return out;
}

ExtractedPage extract(std::string_view html, const Url& address) {
  ExtractedPage page;
  Collector collector(address, page);
  Tokenizer tokenizer(html);
  while (!tokenizer.at_end()) {
    append_words(page.text, tokenizer.text());
    if (tokenizer.at_end()) break;
    const auto tag = tokenizer.tag();
    if (!tag) continue;
    if (!tag->closing) collector.see(*tag);
    if (!page.text.empty() && page.text.back() != ' ') page.text += ' ';
    if (tag->closing) continue;
    if (tag->name == "script" || tag->name == "style") {
      tokenizer.raw_text(tag->name);
    } else if (tag->name == "title" && page.title.empty()) {
      append_words(page.title, tokenizer.raw_text("title"));
      while (!page.title.empty() && page.title.back() == ' ') page.title.pop_back();
    }
  }
  while (!page.text.empty() && page.text.back() == ' ') page.text.pop_back();
  if (page.nofollow) page.links.clear();
  return page;
}

}  // namespace crawl
