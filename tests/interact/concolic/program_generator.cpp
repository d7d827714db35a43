#include "program_generator.h"

#include <random>
#include <vector>

#include <fmt/format.h>

namespace heddle::concolic {
namespace {

const char* const kTypes[] = {"int8_t",  "uint8_t",  "int16_t", "uint16_t",
                              "int32_t", "uint32_t", "int64_t", "uint64_t"};
constexpr int kWidths[] = {8, 8, 16, 16, 32, 32, 64, 64};

// Expressions without undefined behaviour: arithmetic is done unsigned, shift amounts are masked, divisors
// made odd.
class ExpressionWriter {
 public:
  explicit ExpressionWriter(uint64_t seed) : random_(seed) {}

  size_t below(size_t count) { return random_() % count; }

  // Of the named type.
  std::string expression(size_t type, int depth) {
    if (depth == 0) return leaf(type);
    const std::string name = kTypes[type];
    const std::string a = expression(type, depth - 1);
    const size_t is_unsigned = type | 1;
    const std::string wide = kTypes[is_unsigned];
    switch (below(14)) {
      case 0:
        return fmt::format("({})(({})({}) + ({})({}))", name, wide, a, wide, expression(type, depth - 1));
      case 1:
        return fmt::format("({})(({})({}) - ({})({}))", name, wide, a, wide, expression(type, depth - 1));
      case 2:
        return fmt::format("({})((uint64_t)({}) * (uint64_t)({}))", name, a, expression(type, depth - 1));
      case 3:
        return fmt::format("({})(({}) {} ({}))", name, a, pick({"&", "|", "^"}), expression(type, depth - 1));
      case 4:
        return fmt::format("({})(({})({}) << (({}) & {}))", name, wide, a, expression(type, depth - 1),
                           kWidths[type] - 1);
      case 5:
        return fmt::format("({})(({}) >> (({}) & {}))", name, a, expression(type, depth - 1),
                           kWidths[type] - 1);
      case 6:
        return divided(type, a, depth);
      case 7: {
        const size_t other = below(8);
        return fmt::format("({})({})", name, expression(other, depth - 1));
      }
      case 8: {
        const size_t other = below(8);
        return fmt::format("({})(({}) {} ({}))", name, expression(other, depth - 1),
                           pick({"<", "<=", ">", ">=", "==", "!="}), expression(other, depth - 1));
      }
      case 9:
        return fmt::format("({})(({}) ? ({}) : ({}))", name, expression(below(8), depth - 1), a,
                           expression(type, depth - 1));
      case 10:
        return fmt::format("({})~({})", name, a);
      case 11:
        return fmt::format("({})!({})", name, a);
      case 12:
        return builtin(type, a, depth);
      default:
        return fmt::format("({})(0 - ({})({}))", name, wide, a);
    }
  }

 private:
  std::string pick(std::vector<const char*> words) { return words[below(words.size())]; }

  std::string leaf(size_t type) {
    if (below(4) == 0) {
      const uint64_t small = below(2) == 0 ? below(9) : random_() >> (64 - kWidths[type]);
      return fmt::format("({}){}u{}", kTypes[type], small, small >> 32 != 0 ? "ll" : "");
    }
    return fmt::format("{}{}", kTypes[type], below(2));
  }

  std::string divided(size_t type, const std::string& a, int depth) {
    const char* const operation = below(2) == 0 ? "/" : "%";
    // For signed types the divisor is positive.
    const std::string divisor =
        fmt::format("({0})((({1}) & {2}) | 1)", kTypes[type], expression(type, depth - 1),
                    type % 2 == 0 ? (uint64_t{1} << (kWidths[type] - 1)) - 1 : 0xff);
    return fmt::format("({})(({}) {} {})", kTypes[type], a, operation, divisor);
  }

  std::string builtin(size_t type, const std::string& a, int depth) {
    const std::string name = kTypes[type];
    switch (below(6)) {
      case 0:
        return fmt::format("({})__builtin_bswap32((uint32_t)({}))", name, a);
      case 1:
        return fmt::format("({})__builtin_popcountll((uint64_t)({}))", name, a);
      case 2:
        return fmt::format("({})__builtin_ctz((uint32_t)({}) | 65536u)", name, a);
      case 3:
        return fmt::format("({})__builtin_clzll((uint64_t)({}) | 4096u)", name, a);
      case 4:
        return fmt::format("({})__builtin_rotateleft32((uint32_t)({}), (uint32_t)({}))", name, a,
                           expression(type, depth - 1));
      default:
        return fmt::format(
            "({{ {0} r_; {0} o_ = ({0})__builtin_{1}_overflow(({0})({2}), ({0})({3}), &r_); "
            "({0})(r_ ^ o_); }})",
            name, pick({"add", "sub", "mul"}), a, expression(type, depth - 1));
    }
  }

  std::mt19937_64 random_;
};

constexpr const char* kPrologue = R"(
#include <stdint.h>
#include <stdio.h>
#include <string.h>
void heddle_concolic_observe(unsigned long long value);
)";

}  // namespace

std::string generate_expressions(uint64_t seed, int count) {
  ExpressionWriter writer(seed);
  std::string parameters;
  std::string arguments;
  std::string values;
  std::string locals;
  for (size_t type = 0; type < 8; ++type) {
    for (int i = 0; i < 2; ++i) {
      parameters += fmt::format("{}{} {}{}", parameters.empty() ? "" : ", ", kTypes[type], kTypes[type], i);
      arguments += fmt::format("{}{}{}", arguments.empty() ? "" : ", ", kTypes[type], i);
      locals += fmt::format("  const {0} {0}{1} = v.{0}{1};\n", kTypes[type], i);
      values += fmt::format("{} {}{}; ", kTypes[type], kTypes[type], i);
    }
  }
  std::string text = kPrologue;
  std::string calls;
  for (int i = 0; i < count; ++i) {
    const size_t type = writer.below(8);
    text += fmt::format("static __attribute__((noinline)) {} e{}({}) {{ return {}; }}\n", kTypes[type], i,
                        parameters, writer.expression(type, 2 + static_cast<int>(writer.below(2))));
    calls += fmt::format("  heddle_concolic_observe((unsigned long long)e{}({}));\n", i, arguments);
  }
  return text + fmt::format("struct values {{ {} }};\n", values) +
         "int main(int argc, char** argv) {\n  struct values v;\n  if (argc < 2) return 2;\n"
         "  memcpy(&v, argv[1], sizeof v);\n" +
         locals + calls + "  return 0;\n}\n";
}

std::string generate_program(uint64_t seed) {
  ExpressionWriter writer(seed);
  const auto number = [&](size_t below) { return writer.below(below); };
  std::string cases;
  for (size_t i = 0; i < 3 + number(3); ++i)
    cases += fmt::format("      case {}: state.sum += {}; break;\n", i * 7 + number(7), 1 + number(50));
  return std::string(kPrologue) + fmt::format(R"(
struct state {{ int sum; unsigned char seen[8]; short last; }};
static const short weights[16] = {{{}, {}, {}, {}, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
static int add(int a, int b) {{ return a + b * {}; }}
static int mix(int a, int b) {{ return (a << 3) ^ b; }}
static int depth(const char* s) {{ return *s == '{}' ? 1 + depth(s + 1) : 0; }}
int main(int argc, char** argv) {{
  if (argc < 2) return 2;
  struct state state;
  memset(&state, 0, sizeof state);
  int (*const combine)(int, int) = argv[1][0] > '{}' ? add : mix;
  for (const char* s = argv[1]; *s != '\0'; ++s) {{
    unsigned char c = (unsigned char)*s;
    switch (c % {}) {{
{}      default: state.sum ^= weights[c & 15];
    }}
    state.seen[c & 7]++;
    state.last = combine(state.last, c);
  }}
  struct state copy = state;
  if (copy.sum == {}) puts("sum");
  if (copy.last < {}) puts("last");
  if (depth(argv[1]) == {}) puts("depth");
  if ((copy.seen[{}] & 1) != 0 && (uint16_t)copy.last % {} == 3) puts("odd");
  printf("%d %d\n", copy.sum, copy.last);
  return copy.sum & 1;
}}
)",
                                              number(100), number(100), number(100), number(100),
                                              2 + number(9), static_cast<char>('a' + number(9)),
                                              static_cast<char>('A' + number(20)), 30 + number(20), cases,
                                              20 + number(60), static_cast<int>(number(400)) - 200,
                                              1 + number(3), number(8), 5 + number(9));
}

}  // namespace heddle::concolic
