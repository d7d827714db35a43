// The functions of libc/ do what the C library's do in the C locale, for random arguments.
#include <getopt.h>

#include <cctype>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#define OWN(name) heddle_concolic_libc_##name

extern "C" {
size_t OWN(strlen)(const char*);
size_t OWN(strnlen)(const char*, size_t);
int OWN(strcmp)(const char*, const char*);
int OWN(strncmp)(const char*, const char*, size_t);
int OWN(strcasecmp)(const char*, const char*);
int OWN(strncasecmp)(const char*, const char*, size_t);
char* OWN(strchr)(const char*, int);
char* OWN(strchrnul)(const char*, int);
char* OWN(strrchr)(const char*, int);
char* OWN(strstr)(const char*, const char*);
char* OWN(strcasestr)(const char*, const char*);
size_t OWN(strspn)(const char*, const char*);
size_t OWN(strcspn)(const char*, const char*);
char* OWN(strpbrk)(const char*, const char*);
char* OWN(strtok_r)(char*, const char*, char**);
char* OWN(strsep)(char**, const char*);
char* OWN(strncpy)(char*, const char*, size_t);
char* OWN(stpcpy)(char*, const char*);
char* OWN(strcat)(char*, const char*);
char* OWN(strncat)(char*, const char*, size_t);
int OWN(memcmp)(const void*, const void*, size_t);
void* OWN(memchr)(const void*, int, size_t);
void* OWN(memrchr)(const void*, int, size_t);
void* OWN(memmem)(const void*, size_t, const void*, size_t);
long OWN(strtol)(const char*, char**, int);
unsigned long OWN(strtoul)(const char*, char**, int);
int OWN(atoi)(const char*);
int OWN(getopt)(int, char* const*, const char*);
int OWN(getopt_long)(int, char* const*, const char*, const option*, int*);
int OWN(getopt_long_only)(int, char* const*, const char*, const option*, int*);
int OWN(sscanf)(const char*, const char*, ...);
void OWN(qsort)(void*, size_t, size_t, int (*)(const void*, const void*));
void* OWN(bsearch)(const void*, const void*, size_t, size_t, int (*)(const void*, const void*));
#define CHARACTER_FUNCTIONS(X) \
  X(isalnum)                   \
  X(isalpha)                   \
  X(isblank)                   \
  X(iscntrl)                   \
  X(isdigit)                   \
  X(isgraph) X(islower) X(isprint) X(ispunct) X(isspace) X(isupper) X(isxdigit) X(tolower) X(toupper)
#define DECLARE(name) int OWN(name)(int);
CHARACTER_FUNCTIONS(DECLARE)
}

namespace {

constexpr int kRounds = 20'000;

class Texts {
 public:
  explicit Texts(std::string alphabet) : alphabet_(std::move(alphabet)) {}

  size_t below(size_t count) { return random_() % count; }
  std::string next(size_t longest) {
    std::string text(below(longest + 1), '\0');
    for (char& c : text) c = alphabet_[below(alphabet_.size())];
    return text;
  }

 private:
  std::mt19937 random_{7};
  std::string alphabet_;
};

int sign(int value) {
  return (value > 0) - (value < 0);
}

TEST(ConcolicLibrary, TellsCharactersApart) {
  for (int c = EOF; c < 256; ++c) {
#define COMPARE(name)                                                     \
  if (#name[0] == 'i')                                                    \
    ASSERT_EQ(OWN(name)(c) != 0, std::name(c) != 0) << #name << ' ' << c; \
  else                                                                    \
    ASSERT_EQ(OWN(name)(c), std::name(c)) << #name << ' ' << c;
    CHARACTER_FUNCTIONS(COMPARE)
  }
}

TEST(ConcolicLibrary, SearchesAndComparesStrings) {
  Texts texts("abAB\x80\xff.");
  for (int round = 0; round < kRounds; ++round) {
    const std::string a = texts.next(9);
    const std::string b = texts.next(texts.below(2) == 0 ? 9 : 2);
    const char* const x = a.c_str();
    const char* const y = b.c_str();
    const size_t n = texts.below(11);
    const int c = b.empty() ? 0 : b[0];
    SCOPED_TRACE(a + " " + b);
    ASSERT_EQ(OWN(strlen)(x), strlen(x));
    ASSERT_EQ(OWN(strnlen)(x, n), strnlen(x, n));
    ASSERT_EQ(sign(OWN(strcmp)(x, y)), sign(strcmp(x, y)));
    ASSERT_EQ(sign(OWN(strncmp)(x, y, n)), sign(strncmp(x, y, n)));
    ASSERT_EQ(sign(OWN(strcasecmp)(x, y)), sign(strcasecmp(x, y)));
    ASSERT_EQ(sign(OWN(strncasecmp)(x, y, n)), sign(strncasecmp(x, y, n)));
    ASSERT_EQ(OWN(strchr)(x, c), strchr(x, c));
    ASSERT_EQ(OWN(strchrnul)(x, c), strchrnul(x, c));
    ASSERT_EQ(OWN(strrchr)(x, c), strrchr(x, c));
    ASSERT_EQ(OWN(strstr)(x, y), strstr(x, y));
    ASSERT_EQ(OWN(strcasestr)(x, y), strcasestr(x, y));
    ASSERT_EQ(OWN(strspn)(x, y), strspn(x, y));
    ASSERT_EQ(OWN(strcspn)(x, y), strcspn(x, y));
    ASSERT_EQ(OWN(strpbrk)(x, y), strpbrk(x, y));
    const size_t size = std::min(a.size(), b.size());
    ASSERT_EQ(sign(OWN(memcmp)(x, y, size)), sign(memcmp(x, y, size)));
    ASSERT_EQ(OWN(memchr)(x, c, a.size()), memchr(x, c, a.size()));
    ASSERT_EQ(OWN(memrchr)(x, c, a.size()), memrchr(x, c, a.size()));
    ASSERT_EQ(OWN(memmem)(x, a.size(), y, b.size()), memmem(x, a.size(), y, b.size()));
  }
}

TEST(ConcolicLibrary, CopiesAndSplitsStrings) {
  Texts texts("ab,;");
  for (int round = 0; round < kRounds; ++round) {
    const std::string a = texts.next(9);
    const std::string b = texts.next(5);
    const size_t n = texts.below(11);
    std::string own(32, '#');
    std::string theirs = own;
    ASSERT_EQ(OWN(strncpy)(own.data(), a.c_str(), n), own.data());
    strncpy(theirs.data(), a.c_str(), n);
    ASSERT_EQ(own, theirs);
    ASSERT_EQ(OWN(stpcpy)(own.data(), a.c_str()) - own.data(),
              stpcpy(theirs.data(), a.c_str()) - theirs.data());
    OWN(strcat)(own.data(), b.c_str());
    strcat(theirs.data(), b.c_str());
    OWN(strncat)(own.data(), b.c_str(), n);
    strncat(theirs.data(), b.c_str(), n);
    ASSERT_EQ(own, theirs);
    char* own_rest = own.data();
    char* their_rest = theirs.data();
    const bool separates = texts.below(2) == 0;
    char* own_word = separates ? OWN(strsep)(&own_rest, ",;") : OWN(strtok_r)(own.data(), ",;", &own_rest);
    char* their_word = separates ? strsep(&their_rest, ",;") : strtok_r(theirs.data(), ",;", &their_rest);
    while (their_word != nullptr) {
      ASSERT_NE(own_word, nullptr);
      ASSERT_EQ(own_word - own.data(), their_word - theirs.data());
      ASSERT_STREQ(own_word, their_word);
      own_word = separates ? OWN(strsep)(&own_rest, ",;") : OWN(strtok_r)(nullptr, ",;", &own_rest);
      their_word = separates ? strsep(&their_rest, ",;") : strtok_r(nullptr, ",;", &their_rest);
    }
    ASSERT_EQ(own_word, nullptr);
    ASSERT_EQ(own, theirs);
  }
}

TEST(ConcolicLibrary, ReadsNumbers) {
  Texts texts("0123456789");
  Texts rest("0x9aAzZ-+ \t.8");
  const std::vector<std::string> limits = {
      "9223372036854775807",   "9223372036854775808",   "-9223372036854775808",
      "-9223372036854775809",  "18446744073709551615",  "18446744073709551616",
      "-18446744073709551615", "-18446744073709551616", "2147483648"};
  for (int round = 0; round < kRounds; ++round) {
    std::string text = rest.next(4) + texts.next(texts.below(3) == 0 ? 22 : 4) + rest.next(3);
    if (texts.below(8) == 0) text = limits[texts.below(limits.size())];
    static constexpr int kBases[] = {0, 2, 7, 8, 10, 10, 16, 16, 36, 1, 37};
    const int base = kBases[texts.below(std::size(kBases))];
    SCOPED_TRACE("'" + text + "' in base " + std::to_string(base));
    char* own_end = nullptr;
    char* their_end = nullptr;
    errno = 0;
    const long own = OWN(strtol)(text.c_str(), &own_end, base);
    const int own_error = errno;
    errno = 0;
    const long theirs = strtol(text.c_str(), &their_end, base);
    ASSERT_EQ(own, theirs);
    ASSERT_EQ(own_error, errno);
    ASSERT_EQ(own_end, their_end);
    errno = 0;
    const unsigned long own_unsigned = OWN(strtoul)(text.c_str(), &own_end, base);
    const int own_unsigned_error = errno;
    errno = 0;
    ASSERT_EQ(own_unsigned, strtoul(text.c_str(), &their_end, base));
    ASSERT_EQ(own_unsigned_error, errno);
    ASSERT_EQ(OWN(atoi)(text.c_str()), atoi(text.c_str()));
  }
}

TEST(ConcolicLibrary, ScansText) {
  Texts texts("0123456789-+xXaf \n,%]b");
  const std::vector<std::string> directives = {"%d",  "%4d", "%i",  "%x",   "%o",  "%u",      "%hhd", "%ld",
                                               "%*d", "%c",  "%3c", "%s",   "%4s", "%[a-f0]", "%n",   "%[^,]",
                                               "%%",  ",",   " ",   "%*2c", "%2i", "%5[]b]"};
  for (int round = 0; round < kRounds; ++round) {
    const std::string text = texts.next(12);
    std::string format;
    for (size_t i = 1 + texts.below(4); i > 0; --i) format += directives[texts.below(directives.size())];
    SCOPED_TRACE("'" + text + "' as '" + format + "'");
    char own[4][32];
    char theirs[4][32];
    memset(own, '#', sizeof(own));
    memset(theirs, '#', sizeof(theirs));
    const int expected = sscanf(text.c_str(), format.c_str(), theirs[0], theirs[1], theirs[2], theirs[3]);
    ASSERT_EQ(OWN(sscanf)(text.c_str(), format.c_str(), own[0], own[1], own[2], own[3]), expected);
    for (int i = 0; i < expected; ++i) ASSERT_EQ(memcmp(own[i], theirs[i], sizeof(own[i])), 0) << i;
  }
}

int compare_tens(const void* a, const void* b) {
  return *static_cast<const int*>(a) / 10 - *static_cast<const int*>(b) / 10;
}

TEST(ConcolicLibrary, SortsStablyAndSearches) {
  Texts numbers("");
  for (int round = 0; round < 2'000; ++round) {
    std::vector<int> own(numbers.below(20));
    for (int& number : own) number = static_cast<int>(numbers.below(100));
    std::vector<int> theirs = own;
    OWN(qsort)(own.data(), own.size(), sizeof(int), compare_tens);
    qsort(theirs.data(), theirs.size(), sizeof(int), compare_tens);
    ASSERT_EQ(own, theirs);
    const int key = static_cast<int>(numbers.below(100));
    const void* const found = OWN(bsearch)(&key, own.data(), own.size(), sizeof(int), compare_tens);
    const void* const expected = bsearch(&key, own.data(), own.size(), sizeof(int), compare_tens);
    ASSERT_EQ(found != nullptr, expected != nullptr);
    if (found == nullptr) continue;
    ASSERT_EQ(*static_cast<const int*>(found) / 10, key / 10);
  }
}

// All that a program sees of its options.
struct OptionsSeen {
  std::vector<std::string> results;
  std::vector<std::string> arguments;

  friend bool operator==(const OptionsSeen&, const OptionsSeen&) = default;
};

template <typename Next>
OptionsSeen options_seen(std::vector<std::string> words, Next next) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  OptionsSeen seen;
  optind = 0;
  opterr = 0;
  for (int i = 0; i < 50; ++i) {
    int index = -1;
    optarg = nullptr;
    const int result = next(static_cast<int>(words.size()), arguments.data(), &index);
    seen.results.push_back(std::to_string(result) + " " + std::to_string(optind) + " " +
                           std::to_string(index) + " " +
                           (result == '?' || result == ':' ? std::to_string(optopt) : "") + " " +
                           (optarg == nullptr ? "" : optarg));
    if (result == -1) break;
  }
  for (char* const argument : arguments) seen.arguments.emplace_back(argument == nullptr ? "" : argument);
  return seen;
}

TEST(ConcolicLibrary, TakesOptions) {
  Texts letters("abcn=-w");
  static int flag;
  const option long_options[] = {{"all", no_argument, nullptr, 'a'},
                                 {"width", required_argument, nullptr, 'w'},
                                 {"wait", no_argument, nullptr, 'W'},
                                 {"name", optional_argument, nullptr, 'n'},
                                 {"flag", no_argument, &flag, 3},
                                 {"namely", required_argument, nullptr, 'N'},
                                 {nullptr, 0, nullptr, 0}};
  const std::vector<std::string> known = {"--",      "-",        "--all",  "--al",     "--w",     "--wi=3",
                                          "--width", "--wait=1", "--name", "--name=x", "--namel", "--flag",
                                          "-nval",   "-ab",      "file",   "-width",   "-all",    "-bx"};
  const std::vector<std::string> forms = {"ab:cn::", "+ab:cn::", "-ab:cn::", ":ab:cn::", "-:ab:cn::"};
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::string> words = {"program"};
    for (size_t i = letters.below(6); i > 0; --i) {
      std::string word = letters.below(3) == 0 ? letters.next(4) : known[letters.below(known.size())];
      words.push_back(letters.below(4) == 0 ? "-" + word : word);
    }
    const std::string& form = forms[letters.below(forms.size())];
    std::string trace = form;
    for (const std::string& word : words) trace += " '" + word + "'";
    SCOPED_TRACE(trace);
    const char* const text = form.c_str();
    const size_t kind = letters.below(3);
    const auto own = [&](int count, char** arguments, int* index) {
      if (kind == 0) return OWN(getopt)(count, arguments, text);
      return kind == 1 ? OWN(getopt_long)(count, arguments, text, long_options, index)
                       : OWN(getopt_long_only)(count, arguments, text, long_options, index);
    };
    const auto theirs = [&](int count, char** arguments, int* index) {
      if (kind == 0) return getopt(count, arguments, text);
      return kind == 1 ? getopt_long(count, arguments, text, long_options, index)
                       : getopt_long_only(count, arguments, text, long_options, index);
    };
    const OptionsSeen expected = options_seen(words, theirs);
    const OptionsSeen seen = options_seen(words, own);
    ASSERT_EQ(seen.results, expected.results) << "kind " << kind;
    ASSERT_EQ(seen.arguments, expected.arguments) << "kind " << kind;
  }
}

}  // namespace
