#include "html.h"

#include <gtest/gtest.h>

namespace crawl {
namespace {

const Url& address() {
  static const Url url = *Url::parse("http://a/dir/page");
  return url;
}

struct LinkCase {
  const char* html;
  std::vector<std::string> links;
};

class Links : public testing::TestWithParam<LinkCase> {};

TEST_P(Links, AreFound) {
  std::vector<std::string> links;
  for (const Url& link : extract(GetParam().html, address()).links) links.push_back(link.to_string());
  EXPECT_EQ(links, GetParam().links);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Links,
    testing::Values(LinkCase{"", {}}, LinkCase{"<a href=\"x\">x</a>", {"http://a/dir/x"}},
                    LinkCase{"<A HREF='/x'>x</A>", {"http://a/x"}},
                    LinkCase{"<a href=x>x</a>", {"http://a/dir/x"}},
                    LinkCase{"<a class=b href = \"x\" id=c>", {"http://a/dir/x"}},
                    LinkCase{"<a>none</a>", {}}, LinkCase{"<a href=\"http://b/\">", {"http://b/"}},
                    LinkCase{"<a href=x><a href=y><a href=x>", {"http://a/dir/x", "http://a/dir/y"}},
                    LinkCase{"<a href=\"x?a=1&amp;b=2\">", {"http://a/dir/x?a=1&b=2"}},
                    LinkCase{"<a href=\"mailto:me\">", {}}, LinkCase{"<a href=\"javascript:f()\">", {}},
                    LinkCase{"<a href=\"#top\">", {"http://a/dir/page"}}, LinkCase{"<!-- <a href=x> -->", {}},
                    LinkCase{"<!-- <a href=x> --><a href=y>", {"http://a/dir/y"}},
                    LinkCase{"<script>'<a href=x>'</script><a href=y>", {"http://a/dir/y"}},
                    LinkCase{"<style>a{}</style><a href=y>", {"http://a/dir/y"}},
                    LinkCase{"<base href=\"/b/\"><a href=x>", {"http://a/b/x"}},
                    LinkCase{"<a href=x rel=nofollow><a href=y>", {"http://a/dir/y"}},
                    LinkCase{"<meta name=robots content=nofollow><a href=y>", {}},
                    LinkCase{"<iframe src=f></iframe>", {"http://a/dir/f"}},
                    LinkCase{"<area href=z>", {"http://a/dir/z"}},
                    LinkCase{"<meta http-equiv=refresh content='5; url=/next'>", {"http://a/next"}},
                    LinkCase{"<meta http-equiv=refresh content='5'>", {}}, LinkCase{"<img src=i.png>", {}},
                    LinkCase{"1 < 2 <a href=x>", {"http://a/dir/x"}},
                    LinkCase{"<a href=\"unclosed", {"http://a/dir/unclosed"}},
                    LinkCase{"<a href", {"http://a/dir/page"}}, LinkCase{"<", {}},
                    LinkCase{"<a / href=x />", {"http://a/dir/x"}}, LinkCase{"<abbr href=x>", {}},
                    LinkCase{"</a href=x>", {}}, LinkCase{"<!DOCTYPE html><a href=x>", {"http://a/dir/x"}},
                    LinkCase{"<a href=\" x \">", {"http://a/dir/x"}}));

struct TextCase {
  const char* html;
  const char* title;
  const char* text;
};

class Texts : public testing::TestWithParam<TextCase> {};

TEST_P(Texts, AreCollected) {
  const ExtractedPage page = extract(GetParam().html, address());
  EXPECT_EQ(page.title, GetParam().title);
  EXPECT_EQ(page.text, GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Texts,
    testing::Values(TextCase{"plain", "", "plain"}, TextCase{"<p>a</p><p>b</p>", "", "a b"},
                    TextCase{"<title> T  x </title>body", "T x", "body"},
                    TextCase{"<title>A</title><title>B</title>", "A", "B"},
                    TextCase{"a\n\n b\t c", "", "a b c"}, TextCase{"a&amp;b &lt;c&gt;", "", "a&b <c>"},
                    TextCase{"x<script>y</script>z", "", "x z"}, TextCase{"<b>bold</b>", "", "bold"},
                    TextCase{"a &unknown; b", "", "a &unknown; b"}, TextCase{"&#65;&#66;", "", "AB"},
                    TextCase{"&", "", "&"}));

struct RobotsCase {
  const char* content;
  bool noindex;
  bool nofollow;
};

class MetaRobots : public testing::TestWithParam<RobotsCase> {};

TEST_P(MetaRobots, AreObeyed) {
  const std::string html = "<meta name=\"ROBOTS\" content=\"" + std::string(GetParam().content) + "\">";
  const ExtractedPage page = extract(html, address());
  EXPECT_EQ(page.noindex, GetParam().noindex);
  EXPECT_EQ(page.nofollow, GetParam().nofollow);
}

INSTANTIATE_TEST_SUITE_P(Table, MetaRobots,
                         testing::Values(RobotsCase{"noindex", true, false},
                                         RobotsCase{"NoFollow", false, true},
                                         RobotsCase{"noindex, nofollow", true, true},
                                         RobotsCase{"all", false, false}));

TEST(Html, ImagesAreNoLinks) {
  const ExtractedPage page = extract("<img src=a.png><img src=a.png><img src='/b.png'>", address());
  ASSERT_EQ(page.images.size(), 2U);
  EXPECT_EQ(page.images[1].to_string(), "http://a/b.png");
}

}  // namespace
}  // namespace crawl
