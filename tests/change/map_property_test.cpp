// Random edits of generated programs, where it is known which statement is which.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <random>

#include "source_pairs.h"

namespace heddle {

namespace {

// A statement of a generated function. `origin` is its number in the first version, or -1 if it was inserted.
struct Line {
  int origin = -1;
  std::string text;
};

struct Generated {
  std::vector<std::vector<Line>> functions;
};

std::string expression(std::mt19937& random) {
  const std::string names[] = {"count", "total", "head_", "tail_", "state", "limit"};
  const std::string calls[] = {"push", "store", "notify", "update", "check", "log"};
  return calls[random() % 6] + "(" + names[random() % 6] + ", " + std::to_string(random() % 40) + ", " +
         names[random() % 6] + ");";
}

Generated generate(std::mt19937& random, int functions, int lines) {
  Generated program;
  int origin = 0;
  for (int f = 0; f < functions; ++f) {
    std::vector<Line>& body = program.functions.emplace_back();
    for (int i = 0; i < lines; ++i) {
      const bool conditional = random() % 5 == 0;
      body.push_back({origin++, conditional ? "if (" + std::string("flag") + std::to_string(random() % 9) +
                                                  ") " + expression(random)
                                            : expression(random)});
    }
  }
  return program;
}

std::string print(const Generated& program, const std::string& local) {
  std::string text;
  for (size_t f = 0; f < program.functions.size(); ++f) {
    text += "void f" + std::to_string(f) + "(int " + local + ") {\n";
    for (const Line& line : program.functions[f]) {
      std::string renamed = line.text;
      for (size_t at = 0; (at = renamed.find("count", at)) != std::string::npos; at += local.size()) {
        renamed.replace(at, 5, local);
      }
      text += "  " + renamed + "\n";
    }
    text += "}\n";
  }
  return text;
}

}  // namespace

TEST(MapProperty, RandomEditsAreRecognised) {
  uint32_t kept = 0;
  uint32_t found = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const Generated before = generate(random, 6, 25);
    Generated after = before;
    for (std::vector<Line>& body : after.functions) {
      for (uint32_t edits = random() % 4; edits > 0; --edits) {
        const size_t at = random() % body.size();
        if (random() % 2 == 0) {
          body.erase(body.begin() + static_cast<std::ptrdiff_t>(at));
        } else {
          // Of a kind that is nowhere else: what is inserted can be told from what was there.
          body.insert(body.begin() + static_cast<std::ptrdiff_t>(at),
                      {-1, "inserted" + std::to_string(random()) + "();"});
        }
      }
    }
    const StatementMap map = map_of({{"a.cpp", print(before, "count")}},
                                    {{"a.cpp", print(after, seed % 2 ? "renamed" : "count")}});
    // Where each line of the first version is.
    std::map<int, uint32_t> old_line;
    std::map<int, std::string> text;
    uint32_t line = 0;
    for (const std::vector<Line>& body : before.functions) {
      ++line;
      for (const Line& entry : body) old_line[entry.origin] = ++line, text[entry.origin] = entry.text;
      ++line;
    }
    line = 0;
    for (const std::vector<Line>& body : after.functions) {
      ++line;
      for (const Line& entry : body) {
        const auto statement = map.head_statement_at("a.cpp", ++line, 0);
        ASSERT_TRUE(statement);
        const auto old_statement = map.to_old(*statement);
        if (entry.origin < 0) {
          EXPECT_FALSE(old_statement && !map.is_changed(*statement)) << "seed " << seed << " line " << line;
          continue;
        }
        ++kept;
        for (uint32_t inner = statement->index;
             map.find_head({statement->function, inner}) != nullptr &&
             map.find_head({statement->function, inner})->range.first_line == line;
             ++inner) {
          EXPECT_FALSE(map.is_changed({statement->function, inner})) << "seed " << seed << " line " << line;
        }
        EXPECT_FALSE(map.is_changed(*statement)) << "seed " << seed << " line " << line << ": " << entry.text;
        ASSERT_TRUE(old_statement) << "seed " << seed << " line " << line;
        const uint32_t at = map.find_base(*old_statement)->range.first_line;
        found += at == old_line[entry.origin];
        EXPECT_EQ(without_spaces(map.find_base(*old_statement)->text).substr(0, 3),
                  without_spaces(text[entry.origin]).substr(0, 3));
      }
      ++line;
    }
  }
  EXPECT_EQ(found, kept);
}

TEST(MapProperty, AVersionAgainstItselfIsUnchanged) {
  std::mt19937 random(3);
  const std::string text = print(generate(random, 20, 30), "count");
  const StatementMap map = map_of({{"a.cpp", text}}, {{"a.cpp", text}});
  expect_changes(map, {});
  EXPECT_TRUE(map.functions().empty());
}

TEST(MapProperty, TimeGrowsWithTheText) {
  // Twenty times the text may take sixty times the time: far from the square, and safe from a busy machine.
  const auto seconds = [](int functions) {
    std::mt19937 random(5);
    Generated program = generate(random, functions, 40);
    const std::string before = print(program, "count");
    for (std::vector<Line>& body : program.functions) body.erase(body.begin() + 7);
    const std::string after = print(program, "count");
    const std::clock_t start = std::clock();
    const StatementMap map = map_of({{"a.cpp", before}}, {{"a.cpp", after}});
    EXPECT_GE(map.changes().size(), program.functions.size());
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  const double small = seconds(24);
  const double large = seconds(480);  // 20,000 lines
  EXPECT_LT(large, 60 * std::max(small, 0.005));
}

TEST(MapProperty, OneLongFunctionThatChangedEverywhere) {
  std::mt19937 random(9);
  Generated program = generate(random, 1, 6000);
  const std::string before = print(program, "count");
  for (size_t i = 0; i < program.functions[0].size(); i += 11)
    program.functions[0][i].text = "other(" + std::to_string(i) + ");";
  const StatementMap map = map_of({{"a.cpp", before}}, {{"a.cpp", print(program, "count")}});
  EXPECT_GE(map.changes().size(), 500u);
  EXPECT_LE(map.changes().size(), 2500u);
}

}  // namespace heddle
