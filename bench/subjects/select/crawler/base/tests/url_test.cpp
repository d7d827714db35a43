#include "url.h"

#include <gtest/gtest.h>

#include <set>

namespace crawl {
namespace {

struct ParseCase {
  const char* text;
  const char* normal;  // null if it must be refused
};

class ParseUrl : public testing::TestWithParam<ParseCase> {};

TEST_P(ParseUrl, GivesTheNormalForm) {
  const auto url = Url::parse(GetParam().text);
  ASSERT_EQ(url.has_value(), GetParam().normal != nullptr);
  if (!url) return;
  EXPECT_EQ(url->to_string(), GetParam().normal);
  EXPECT_EQ(Url::parse(url->to_string()), url) << "normal form is not stable";
}

INSTANTIATE_TEST_SUITE_P(
    Table, ParseUrl,
    testing::Values(
        ParseCase{"http://a", "http://a/"}, ParseCase{"http://a/", "http://a/"},
        ParseCase{"HTTP://A.Example/B", "http://a.example/B"}, ParseCase{"http://a:80/", "http://a/"},
        ParseCase{"https://a:443/", "https://a/"}, ParseCase{"http://a:8080/x", "http://a:8080/x"},
        ParseCase{"https://a:80/", "https://a:80/"}, ParseCase{"http://a:/x", "http://a/x"},
        ParseCase{"http://a./x", "http://a/x"}, ParseCase{"http://u:p@a/x", "http://a/x"},
        ParseCase{"http://a?q", "http://a/?q"}, ParseCase{"http://a/x?", "http://a/x?"},
        ParseCase{"http://a/x#frag", "http://a/x"}, ParseCase{"http://a#frag", "http://a/"},
        ParseCase{"  http://a/x \n", "http://a/x"}, ParseCase{"http://a/b/../c", "http://a/c"},
        ParseCase{"http://a/b/./c", "http://a/b/c"}, ParseCase{"http://a/../c", "http://a/c"},
        ParseCase{"http://a/b/..", "http://a/"}, ParseCase{"http://a/b/.", "http://a/b/"},
        ParseCase{"http://a/%7euser", "http://a/~user"}, ParseCase{"http://a/%c3%a4", "http://a/%C3%A4"},
        ParseCase{"http://a/a b", "http://a/a%20b"}, ParseCase{"http://a/%2f", "http://a/%2F"},
        ParseCase{"http://a/100%", "http://a/100%25"}, ParseCase{"http://a/<x>", "http://a/%3Cx%3E"},
        ParseCase{"http://a/?a=%41", "http://a/?a=A"}, ParseCase{"http://a/?x=y z", "http://a/?x=y%20z"},
        ParseCase{"http://127.0.0.1:99/", "http://127.0.0.1:99/"}, ParseCase{"", nullptr},
        ParseCase{"a/b", nullptr}, ParseCase{"/a", nullptr}, ParseCase{"//a/b", nullptr},
        ParseCase{"ftp://a/", nullptr}, ParseCase{"mailto:x@y", nullptr},
        ParseCase{"javascript:void(0)", nullptr}, ParseCase{"http:/a", nullptr},
        ParseCase{"http://", nullptr}, ParseCase{"http:///x", nullptr}, ParseCase{"http://a:0/", nullptr},
        ParseCase{"http://a:65536/", nullptr}, ParseCase{"http://a:x/", nullptr},
        ParseCase{"http://a b/", nullptr}, ParseCase{"http://[::1]/", nullptr}));

class ResolveUrl : public testing::TestWithParam<ParseCase> {};

TEST_P(ResolveUrl, FollowsTheStandard) {
  const auto base = Url::parse("http://a/b/c/d?q");
  const auto url = base->resolve(GetParam().text);
  ASSERT_EQ(url.has_value(), GetParam().normal != nullptr);
  if (url) {
    EXPECT_EQ(url->to_string(), GetParam().normal);
  }
}

// The examples of RFC 3986 section 5.4, as far as they are about http.
INSTANTIATE_TEST_SUITE_P(
    Table, ResolveUrl,
    testing::Values(ParseCase{"g", "http://a/b/c/g"}, ParseCase{"./g", "http://a/b/c/g"},
                    ParseCase{"g/", "http://a/b/c/g/"}, ParseCase{"/g", "http://a/g"},
                    ParseCase{"//g", "http://g/"}, ParseCase{"?y", "http://a/b/c/d?y"},
                    ParseCase{"g?y", "http://a/b/c/g?y"}, ParseCase{"#s", "http://a/b/c/d?q"},
                    ParseCase{"g#s", "http://a/b/c/g"}, ParseCase{"g;x", "http://a/b/c/g;x"},
                    ParseCase{"", "http://a/b/c/d?q"}, ParseCase{".", "http://a/b/c/"},
                    ParseCase{"./", "http://a/b/c/"}, ParseCase{"..", "http://a/b/"},
                    ParseCase{"../", "http://a/b/"}, ParseCase{"../g", "http://a/b/g"},
                    ParseCase{"../..", "http://a/"}, ParseCase{"../../g", "http://a/g"},
                    ParseCase{"../../../g", "http://a/g"}, ParseCase{"/./g", "http://a/g"},
                    ParseCase{"/../g", "http://a/g"}, ParseCase{"g.", "http://a/b/c/g."},
                    ParseCase{"..g", "http://a/b/c/..g"}, ParseCase{"./../g", "http://a/b/g"},
                    ParseCase{"./g/.", "http://a/b/c/g/"}, ParseCase{"g/../h", "http://a/b/c/h"},
                    ParseCase{"https://x/y", "https://x/y"}, ParseCase{"mailto:me", nullptr},
                    ParseCase{"javascript:alert(1)", nullptr}, ParseCase{"//", nullptr}));

struct AuthorityCase {
  const char* url;
  const char* authority;
  const char* target;
};

class Authority : public testing::TestWithParam<AuthorityCase> {};

TEST_P(Authority, AndTargetAreSplit) {
  const auto url = Url::parse(GetParam().url);
  EXPECT_EQ(url->authority(), GetParam().authority);
  EXPECT_EQ(url->target(), GetParam().target);
}

INSTANTIATE_TEST_SUITE_P(Table, Authority,
                         testing::Values(AuthorityCase{"http://a/", "a", "/"},
                                         AuthorityCase{"http://a:81/x?y", "a:81", "/x?y"},
                                         AuthorityCase{"https://b.c/x", "b.c", "/x"},
                                         AuthorityCase{"http://a/x?", "a", "/x?"}));

TEST(Fingerprint, TellsManyAddressesApart) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 2000; ++i)
    EXPECT_TRUE(seen.insert(fingerprint("http://a/" + std::to_string(i))).second);
}

}  // namespace
}  // namespace crawl
