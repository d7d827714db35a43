// What keeps the programs free of undefined behaviour:
// * numbers are unsigned, indices are taken modulo the length, divisors are odd;
// * an expression has no effect, and a call is the only thing of its statement that could see another's;
// * pointers are "long" (to what lives as long as the program) or "short" (also to the function's locals, and
//   what its callers have given it). What lives long keeps only long ones;
// * all locals are declared, with a value, where the function begins: no jump passes one;
// * loops count by variables that nothing else changes; functions call those before them, or themselves with
//   a depth that falls.
#include "c_programs.h"

#include <initializer_list>
#include <random>
#include <utility>
#include <vector>

namespace heddle::program {
namespace {

class Generator {
 public:
  Generator(uint32_t seed, std::string prefix) : random_(seed * 2654435761u + 1), p_(std::move(prefix)) {}

  std::string run() {
    types();
    globals();
    const uint32_t count = 3 + pick(3);
    for (uint32_t i = 0; i < count; ++i) function(i);
    main();
    return std::move(text_);
  }

 private:
  enum class Shape { kNumber, kPointer, kThrough, kDeep, kStruct, kUnion };
  struct Callee {
    std::string name;
    Shape shape;
  };

  uint32_t pick(uint32_t count) { return static_cast<uint32_t>(random_() % count); }
  bool chance(uint32_t percent) { return pick(100) < percent; }
  std::string one_of(std::initializer_list<std::string> options) {
    return options.begin()[pick(static_cast<uint32_t>(options.size()))];
  }
  std::string number(uint32_t below) { return std::to_string(pick(below)); }
  void line(const std::string& text) { text_ += std::string(2 * indent_, ' ') + text + "\n"; }

  std::string shuffled(std::vector<std::string> parts) {
    std::string result;
    while (!parts.empty()) {
      const uint32_t at = pick(static_cast<uint32_t>(parts.size()));
      result += parts[at] + " ";
      parts.erase(parts.begin() + at);
    }
    return result;
  }

  // --- declarations

  void types() {
    line("struct " + p_ + "in { " +
         shuffled(
             {"unsigned a;", "unsigned char b[4];", "unsigned bits : 5; unsigned more : 9;", "unsigned c;"}) +
         "};");
    line("struct " + p_ + "node { " +
         shuffled({"unsigned value;", "struct " + p_ + "in in;", "unsigned arr[4];", "unsigned *p;",
                   "struct " + p_ + "node *next;", "unsigned (*fn)(unsigned, unsigned *);",
                   "struct " + p_ + "in ins[2];"}) +
         "};");
    line("union " + p_ + "u { unsigned w; unsigned char bytes[4]; unsigned short h[2]; };");
  }

  void globals() {
    for (const char* name : {"f0", "f1"}) line("static unsigned " + p_ + name + "(unsigned a, unsigned *p);");
    for (const char* name : {"g0", "g1", "g2"})
      line("static unsigned " + p_ + name + " = " + number(1000) + ";");
    line("static unsigned " + p_ + "ga[6] = {" + number(9) + ", " + number(9) + ", " + number(999) + "};");
    line("static unsigned " + p_ + "gm[2][3];");
    line("static union " + p_ + "u " + p_ + "gu;");
    line("static struct " + p_ + "node " + p_ + "gs1;");
    line("static struct " + p_ + "node " + p_ + "gs0 = {.value = " + number(99) + ", .p = &" + p_ +
         "ga[2], .next = &" + p_ + "gs1, .fn = " + p_ + "f0};");
    line("static struct " + p_ + "node " + p_ + "gs1 = {.p = &" + p_ + one_of({"g0", "g1", "gs0.arr[1]"}) +
         ", .next = &" + p_ + one_of({"gs0", "gs1"}) + ", .fn = " + p_ + "f1};");
    line("static unsigned *" + p_ + "gp = &" + p_ + one_of({"g0", "ga[3]", "gs0.value", "gs1.in.c"}) + ";");
    line("static unsigned *" + p_ + "gq[3] = {&" + p_ + "g1, " + p_ + "ga, &" + p_ + "gm[1][1]};");
    line("static unsigned **" + p_ + "gpp = &" + p_ + one_of({"gp", "gq[1]"}) + ";");
    line("static struct " + p_ + "node *" + p_ + "gn = &" + p_ + one_of({"gs0", "gs1"}) + ";");
    line("static struct " + p_ + "node *" + p_ + "gh;");
    line("static unsigned (*" + p_ + "tab[2])(unsigned, unsigned *) = {" + p_ + "f0, " + p_ +
         one_of({"f0", "f1"}) + "};");
    line("static int " + p_ + "less(const void *a, const void *b) {");
    ++indent_;
    line("unsigned x = *(const unsigned *)a;");
    line("unsigned y = *(const unsigned *)b;");
    line(one_of({"return x < y ? -1 : x > y;", "return (x > y) - (x < y);"}));
    --indent_;
    line("}");
  }

  void locals() {
    for (const char* name : {"x0", "x1", "x2", "x3"})
      line(std::string("unsigned ") + name + " = " + one_of({number(50), p_ + "g0", "a"}) + ";");
    line("unsigned la[5] = {" + number(7) + ", " + number(7) + "};");
    line("static unsigned st = " + number(40) + ";");
    line("union " + p_ + "u lu = {" + number(70000) + "};");
    line("struct " + p_ + "node ls = " + one_of({"{0}", "*" + p_ + "gn", p_ + "gs0"}) + ";");
    line("unsigned *l0 = " + one_of({"p", "&x1", "la + 2"}) + ";");
    line("unsigned *l1 = " + p_ + "gp;");
    line("unsigned **lpp = &l0;");
    line("struct " + p_ + "node *n0 = &ls;");
    line("struct " + p_ + "node *n1 = " + p_ + "gn;");
    line("unsigned (*fp)(unsigned, unsigned *) = " + p_ + "f0;");
    line("unsigned i0 = 0, i1 = 0, i2 = 0, c0 = 0, c1 = 0;");
    line("ls.p = " + one_of({"&x0", "la", "p"}) + ";");
    line("ls.next = " + one_of({"&ls", "n1", "&" + p_ + "gs1"}) + ";");
    line("ls.fn = " + p_ + "f1;");
  }

  void function(uint32_t index) {
    const std::string name = p_ + "f" + std::to_string(index);
    const auto shape = index < 2 ? Shape::kNumber : static_cast<Shape>(pick(6));
    const std::string node = "struct " + p_ + "node ";
    may_call_pointers_ = index >= 2;
    depth_ = 0;
    std::string setup;
    std::string head;
    switch (shape) {
      case Shape::kNumber:
        head = "unsigned " + name + "(unsigned a, unsigned *p)";
        break;
      case Shape::kPointer:
        head = "unsigned *" + name + "(" + node + "*n, unsigned a, unsigned *p)";
        setup = "n0 = n;";
        break;
      case Shape::kThrough:
        head = "void " + name + "(unsigned **pp, unsigned a, unsigned *p)";
        setup = "*pp = l1;";
        break;
      case Shape::kDeep:
        head = "unsigned " + name + "(unsigned depth, unsigned a, unsigned *p)";
        setup = "if (depth == 0) return a + *p;";
        break;
      case Shape::kStruct:
        head = node + name + "(" + node + "by, struct " + p_ + "in of, unsigned a, unsigned *p)";
        setup = "ls.in = of; ls.ins[0] = by.in; by.value += a;";
        break;
      case Shape::kUnion:
        head = "union " + p_ + "u " + name + "(union " + p_ + "u of, unsigned a, unsigned *p)";
        setup = "lu = of;";
        break;
    }
    returned_ = shape;
    line("static " + head + " {");
    ++indent_;
    locals();
    if (!setup.empty()) line(setup);
    body(3 + pick(6));
    if (shape == Shape::kDeep && chance(80))
      line("x1 = " + name + "(depth - 1, " + expression(1) + ", " + short_pointer() + ");");
    if (shape == Shape::kThrough && chance(60)) line("*pp = " + long_pointer() + ";");
    leave(true);
    --indent_;
    line("}");
    callees_.push_back({name, shape});
  }

  void main() {
    may_call_pointers_ = true;
    returned_ = Shape::kNumber;
    line("static unsigned " + p_ + "all(unsigned a, unsigned *p) {");
    ++indent_;
    locals();
    line(p_ + "gh = " + one_of({"malloc(sizeof *n0)", "calloc(1, sizeof *n0)"}) + ";");
    line("*" + p_ + "gh = " + p_ + one_of({"gs0", "gs1"}) + ";");
    body(5);
    for (const Callee& callee : callees_) call(callee);
    body(3);
    line("return x0 ^ x1 * 3 ^ x2 * 5 ^ st;");
    --indent_;
    line("}");
    line("unsigned " + p_ + "main(void) {");
    ++indent_;
    line("unsigned i;");
    line("unsigned seed = " + number(1000) + ";");
    line(p_ + "gh = &" + p_ + "gs0;");
    line("unsigned sum = " + p_ + "all(" + number(100) + ", &seed);");
    line("sum = sum * 31 + seed;");
    for (const char* one : {"g0", "g1", "g2", "gu.w", "gs0.value", "gs1.in.a", "gs0.in.bits", "gh->value"})
      line("sum = sum * 31 + " + p_ + one + ";");
    line("for (i = 0; i < 6; ++i)");
    line("  sum = sum * 31 + " + p_ + "ga[i] + " + p_ + "gs0.arr[i % 4] + " + p_ + "gm[i / 3][i % 3];");
    line("sum = sum * 31 + *" + p_ + "gp + **" + p_ + "gpp + *" + p_ + "gn->p;");
    line("return sum;");
    --indent_;
    line("}");
  }

  // --- expressions

  std::string node_object() {
    return one_of({p_ + "gs0.", p_ + "gs1.", "ls.", "n0->", "n1->", "n0->next->", p_ + "gn->", p_ + "gh->",
                   "(*n1).",
                   "((struct " + p_ + "node *)((char *)&" + one_of({p_ + "gs0", "ls", "(*n0)"}) +
                       ".in - offsetof(struct " + p_ + "node, in)))->"});
  }

  std::string place(uint32_t depth) {
    const std::string index = depth == 0 ? number(60) : expression(depth - 1);
    switch (pick(12)) {
      case 0:
      case 1:
      case 2:
        return one_of({"x0", "x1", "x2", "x3", "a"});
      case 3:
        return p_ + one_of({"g0", "g1", "g2"});
      case 4:
        return one_of({p_ + "ga[(" + index + ") % 6u]", "la[(" + index + ") % 5u]",
                       "*(la + (" + index + ") % 5u)", p_ + "gm[(" + index + ") % 2u][" + number(3) + "]"});
      case 5:
      case 6:
        return node_object() + one_of({"value", "in.a", "in.c", "in.bits", "in.more"});
      case 7:
        return node_object() + one_of({"arr[(" + index + ") % 4u]", "in.b[(" + index + ") % 4u]",
                                       "ins[(" + index + ") % 2u].a", "ins[1].b[2]", "ins[0].more"});
      case 8:
        return one_of({"*l0", "*l1", "*" + p_ + "gp", "l0[0]", "*p"});
      case 9:
        return one_of(
            {"**lpp", "**" + p_ + "gpp", "*" + p_ + "gq[(" + index + ") % 3u]", "*n0->p", "*n1->p", "*ls.p"});
      case 10:
        return one_of({p_ + "gu.", "lu."}) + one_of({"w", "bytes[(" + index + ") % 4u]", "h[1]", "h[0]"});
      default:
        return one_of(
            {"st", "((unsigned char *)&" + one_of({"x0", "x2", p_ + "g1"}) + ")[(" + index + ") % 4u]"});
    }
  }

  std::string expression(uint32_t depth) {
    if (depth == 0 || chance(15)) return chance(30) ? number(300) : place(0);
    const std::string a = "(0u + (" + expression(depth - 1) + "))";  // small types become int otherwise
    const std::string b = "(" + expression(depth - 1) + ")";
    switch (pick(13)) {
      case 0:
      case 1:
        return a + one_of({" + ", " - ", " * ", " ^ ", " & ", " | "}) + b;
      case 2:
        return a + one_of({" < ", " > ", " == ", " != ", " <= "}) + b;
      case 3:
        return a + one_of({" / ", " % "}) + "(" + b + " | 1)";
      case 4:
        return a + one_of({" << ", " >> "}) + "(" + b + " & 7)";
      case 5:
        return a + one_of({" && ", " || "}) + b;
      case 6:
        return a + " ? " + b + " : (" + expression(depth - 1) + ")";
      case 7:
        return one_of({"!", "~", "(unsigned char)", "(unsigned short)", "(short)", "(unsigned)(int)"}) + a;
      case 8:
        return one_of({"(int)" + a + " < (int)" + b, "(unsigned)((double)" + a + " * 0.5)",
                       "(unsigned)((unsigned long)" + a + " * " + b + " >> 7)",
                       "(int)(" + a + " & 0xfff) / 7"});
      case 9:
        return one_of({"(l0 == l1)", "(n0 != n1)", "(*lpp == " + p_ + "gp)", "(n1->next == n0)",
                       "(fp == " + p_ + "f1)", "(memcmp(la, " + p_ + "ga, 12) < 0)"});
      default:
        return place(depth - 1);
    }
  }
  std::string condition() { return expression(1 + pick(2)); }

  std::string long_pointer() {
    switch (pick(9)) {
      case 0:
        return "&" + p_ + one_of({"g0", "g1", "g2", "gu.w"});
      case 1:
        return one_of({"&" + p_ + "ga[(" + expression(1) + ") % 6u]",
                       p_ + "ga + (" + expression(0) + ") % 6u",
                       "&" + p_ + "gm[1][(" + expression(0) + ") % 3u]"});
      case 2:
        return "&" + p_ + one_of({"gs0.", "gs1.", "gh->"}) + one_of({"value", "in.a", "arr[2]", "ins[1].c"});
      case 3:
        return one_of({"l1", p_ + "gp", "&st", "*" + p_ + "gpp"});
      case 4:
        return one_of({"n1->p", p_ + "gn->p", p_ + "gq[(" + expression(0) + ") % 3u]"});
      case 5:
        return "(unsigned *)(size_t)" + one_of({"l1", p_ + "gp"});
      case 6:
        return "(" + expression(1) + ") ? l1 : &" + p_ + "gs1.in.c";
      case 7:
        return "&n1->" + one_of({"value", "arr[1]", "in.c"});
      default:
        return "&" + p_ + "gs0.arr[(" + expression(1) + ") % 4u]";
    }
  }
  std::string short_pointer() {
    switch (pick(6)) {
      case 0:
        return one_of({"&x0", "&x1", "&x2", "&a"});
      case 1:
        return one_of({"&la[(" + expression(1) + ") % 5u]", "la + 1", "&lu.w"});
      case 2:
        return one_of({"&ls.value", "ls.p", "&ls.ins[1].c", "ls.arr + (" + expression(0) + ") % 4u"});
      case 3:
        return one_of({"l0", "p", "*lpp", "n0->p", "n0->next->p"});
      case 4:
        return "(" + expression(1) + ") ? l0 : " + one_of({"&x2", "l1", "la"});
      default:
        return long_pointer();
    }
  }
  std::string long_node() {
    return one_of(
        {"n1", p_ + "gn", "&" + p_ + "gs0", "&" + p_ + "gs1", p_ + "gh", "n1->next", p_ + "gn->next"});
  }
  std::string short_node() { return one_of({"n0", "&ls", "n0->next", "ls.next", long_node(), long_node()}); }

  // --- statements

  void leave(bool at_end) {
    switch (returned_) {
      case Shape::kNumber:
      case Shape::kDeep:
        return line("return " + (at_end ? "x0 ^ x1 ^ *l0" : expression(2)) + ";");
      case Shape::kPointer:
        return line("return " + long_pointer() + ";");
      case Shape::kThrough:
        if (!at_end) line("return;");
        return;
      case Shape::kStruct:
        line("ls.p = " + p_ + "gp;");
        line("ls.next = &" + p_ + "gs0;");
        return line("return " + one_of({"ls", p_ + "gs1", "*" + p_ + "gn"}) + ";");
      case Shape::kUnion:
        return line("return " + one_of({"lu", p_ + "gu"}) + ";");
    }
  }

  void body(uint32_t statements) {
    for (uint32_t i = 0; i < statements; ++i) {
      if (chance(12) && backward_ < 2 && indent_ == 1) {
        again(statements / 3 + 1);
      } else if (chance(12) && indent_ == 1) {
        const std::string label = "L" + std::to_string(next_label_++);
        targets_.push_back(label);
        body(statements / 3 + 1);
        targets_.pop_back();
        line(label + ":;");
      } else {
        statement();
      }
    }
    if (indent_ == 1) backward_ = 0;
  }

  void again(uint32_t statements) {
    const std::string label = "B" + std::to_string(next_label_++);
    const std::string counter = "c" + std::to_string(backward_++);
    line(counter + " = 0;");
    line(label + ":;");
    ++depth_;
    for (uint32_t i = 0; i < statements; ++i) statement();
    --depth_;
    line("if (" + counter + "++ < 2) goto " + label + ";");
  }

  void block(uint32_t statements) {
    ++indent_;
    for (uint32_t i = 0; i < statements; ++i) statement();
    --indent_;
  }

  void statement() {
    const uint32_t choice = pick(100);
    const bool is_deep = indent_ > 3;
    if (choice < 34) return assign();
    if (choice < 44) return assign_pointer();
    if (choice < 50) return memory();
    if (choice < 60 && !callees_.empty() && depth_ <= 1)
      return call(callees_[pick(static_cast<uint32_t>(callees_.size()))]);
    if (choice < 72 && !is_deep) return branch();
    if (choice < 84 && !is_deep && depth_ < 2) return loop();
    if (choice < 90 && !is_deep) return cases();
    if (choice < 94) return jump();
    assign();
  }

  void assign() {
    switch (pick(8)) {
      case 0:
        return line(place(1) + one_of({" += ", " -= ", " ^= ", " |= ", " *= ", " &= "}) + "0u + (" +
                    expression(2) + ");");
      case 1:
        return line(one_of({"++", "--"}) + "(" + place(1) + ");");
      case 2:
        return line("x0 = " + number(9) + " + " + one_of({"x1", "x2", "st"}) + one_of({"++", "--"}) + ";");
      case 3:
        return line("x1 = (x2 = " + expression(1) + ", x3 = x2 + 1, x2 ^ " + number(5) + ");");
      default:
        return line(place(1) + " = " + expression(1 + pick(3)) + ";");
    }
  }

  void assign_pointer() {
    switch (pick(12)) {
      case 0:
      case 1:
        return line("l0 = " + short_pointer() + ";");
      case 2:
        return line("l1 = " + long_pointer() + ";");
      case 3:
        return line(p_ + "gp = " + long_pointer() + ";");
      case 4:
        return line(p_ + "gq[(" + expression(1) + ") % 3u] = " + long_pointer() + ";");
      case 5:
        return line(one_of({"*lpp = " + short_pointer(), "ls.p = " + short_pointer(),
                            "*" + p_ + "gpp = " + long_pointer()}) +
                    ";");
      case 6:
        return line(p_ + "gpp = " +
                    one_of({"&" + p_ + "gp", "&" + p_ + "gq[(" + expression(0) + ") % 3u]", "&n1->p",
                            "&" + p_ + "gs0.p"}) +
                    ";");
      case 7:
        return line("lpp = " + one_of({"&l0", "&ls.p"}) + ";");
      case 8:
        return line(one_of({"n0->p", "n1->p", p_ + "gn->p"}) + " = " + long_pointer() + ";");
      case 9:
        return line(one_of({"n0 = " + short_node(), "n1 = " + long_node(), "ls.next = " + short_node()}) +
                    ";");
      case 10:
        return line(one_of({p_ + "gn", "n0->next", "n1->next", p_ + "gs0.next"}) + " = " + long_node() + ";");
      default:
        return line(one_of({"fp", "n0->fn", "n1->fn", p_ + "tab[(" + expression(0) + ") % 2u]", "ls.fn"}) +
                    " = " + one_of({p_ + "f0", p_ + "f1", p_ + "tab[1]", "n1->fn", "fp"}) + ";");
    }
  }

  void memory() {
    switch (pick(11)) {
      case 0:
        return line("memcpy(la, " + p_ + "ga, (" + expression(1) + ") % 6u * sizeof(unsigned));");
      case 1:
        return line("memmove(" + p_ + "ga + 1, " + p_ + "ga, (" + expression(0) + ") % 6u * 4);");
      case 2:
        return line("memset(" + one_of({"la", p_ + "ga", "ls.arr", p_ + "gs0.arr", "&lu"}) + ", " +
                    expression(0) + ", " + one_of({"4", "3", "(" + expression(0) + ") % 5u"}) + ");");
      case 3:
        return line("ls = " + one_of({"*n1", "*" + p_ + "gn", p_ + "gs0"}) + ";");
      case 4:
        return line(one_of({"*n1", p_ + "gs0", "*" + p_ + "gh"}) + " = " +
                    one_of({"*" + p_ + "gn", p_ + "gs1"}) + ";");
      case 5:
        return line("memcpy(&ls, " + one_of({"n1", p_ + "gn"}) + ", sizeof ls);");
      case 6:
        return line(node_object() + "in = " + node_object() + one_of({"in", "ins[1]"}) + ";");
      case 7:
        return line("qsort(" + one_of({"la, 5", p_ + "ga, 6", p_ + "gs0.arr, 4"}) + ", sizeof(unsigned), " +
                    p_ + "less);");
      case 8:
        return line(one_of({"lu = " + p_ + "gu", p_ + "gu = lu", "lu.h[0] = " + p_ + "gu.h[1]"}) + ";");
      case 9: {
        line("{");
        ++indent_;
        line("unsigned *t = " + one_of({"malloc(4 * sizeof *t)", "calloc(4, sizeof *t)"}) + ";");
        line("memset(t, " + number(5) + ", " + one_of({"16", "4 * sizeof *t"}) + ");");
        line("t[(" + expression(1) + ") % 4u] = " + expression(1) + ";");
        if (chance(40)) line("t = realloc(t, 8 * sizeof *t);");
        line(place(0) + " = t[(" + expression(1) + ") % 4u];");
        line("free(t);");
        --indent_;
        return line("}");
      }
      default:
        line("{");
        ++indent_;
        line("struct " + p_ + "node *t = malloc(sizeof *t);");
        line("*t = " + one_of({p_ + "gs1", "*n1"}) + ";");
        line("t->value = " + expression(1) + ";");
        line("t->next = " + p_ + "gn;");
        line(p_ + one_of({"gh", "gn", "gs1.next"}) + " = t;");
        --indent_;
        return line("}");
    }
  }

  void call(const Callee& callee) {
    const std::string tail = expression(1) + ", " + short_pointer() + ")";
    const std::string target = one_of({"x0", "x1", "x2", p_ + "g2"});
    switch (callee.shape) {
      case Shape::kNumber: {
        std::string name = callee.name;
        if (may_call_pointers_ && chance(60))
          name =
              one_of({p_ + "tab[(" + expression(1) + ") % 2u]", "n0->fn", "n1->fn", "fp", "(*fp)", "ls.fn"});
        const std::string whole = name + "(" + tail;
        if (chance(20)) return line(target + " = (" + expression(1) + ") && " + whole + ";");
        if (chance(20)) return line("if (" + whole + " % 3 == 1) " + target + " = " + expression(1) + ";");
        if (chance(20))
          return line(target + " = (" + expression(1) + ") ? " + whole + " : " + number(9) + ";");
        return line(target + " = " + whole + one_of({"", " * 3", " ^ 77"}) + ";");
      }
      case Shape::kPointer:
        return line(one_of({"l0", "l1", p_ + "gp"}) + " = " + callee.name + "(" + short_node() + ", " + tail +
                    ";");
      case Shape::kThrough:
        return line(callee.name + "(" + one_of({"&l0", "&l1", "&" + p_ + "gp", "lpp", p_ + "gpp"}) + ", " +
                    tail + ";");
      case Shape::kDeep:
        return line(target + " = " + callee.name + "(" + number(4) + ", " + tail + ";");
      case Shape::kStruct:
        return line(one_of({"ls", p_ + "gs1"}) + " = " + callee.name + "(" +
                    one_of({p_ + "gs0", "*n1", "ls"}) + ", " + node_object() + "in, " + tail + ";");
      case Shape::kUnion:
        return line(one_of({"lu", p_ + "gu"}) + " = " + callee.name + "(" + one_of({"lu", p_ + "gu"}) + ", " +
                    tail + ";");
    }
  }

  void branch() {
    line("if (" + condition() + ") {");
    block(1 + pick(3));
    if (chance(50)) {
      line("} else {");
      block(1 + pick(2));
    }
    line("}");
  }

  void loop() {
    const std::string counter = "i" + std::to_string(depth_);
    const std::string limit = std::to_string(2 + pick(3));
    ++depth_;
    ++loops_;
    switch (pick(5)) {
      case 0:
        line(counter + " = 0;");
        line("while (" + counter + "++ < " + limit + one_of({"", " && (" + condition() + ")"}) + ") {");
        block(1 + pick(3));
        line("}");
        break;
      case 1:
        line(counter + " = 0;");
        line("do {");
        block(1 + pick(3));
        line("} while (++" + counter + " < " + limit + ");");
        break;
      case 2: {  // into its middle
        const std::string label = "M" + std::to_string(next_label_++);
        line(counter + " = 0;");
        line("if (" + condition() + ") goto " + label + ";");
        line("while (" + counter + "++ < " + limit + ") {");
        block(1 + pick(2));
        line(label + ":;");
        block(1 + pick(2));
        line("}");
        break;
      }
      case 3:
        line("for (l0 = la; l0 < la + 4; ++l0) {");
        line("  *l0 " + one_of({"+=", "^=", "="}) + " " + expression(1) + ";");
        line("}");
        break;
      default:
        line("for (" + counter + " = 0; " + counter + " < " + limit + "; ++" + counter + ") {");
        block(1 + pick(3));
        line("}");
    }
    --loops_;
    --depth_;
  }

  void cases() {
    line("switch ((" + expression(1) + ") % 5u) {");
    ++indent_;
    ++switches_;
    const uint32_t count = 2 + pick(3);
    const uint32_t other = pick(count + 1);
    for (uint32_t i = 0; i < count; ++i) {
      line(i == other ? "default:" : "case " + std::to_string(i) + ":");
      block(1 + pick(2));
      if (chance(60)) line("  break;");
    }
    --switches_;
    --indent_;
    line("}");
  }

  void jump() {
    const std::string when = "if (" + condition() + ") ";
    if (chance(35) && !targets_.empty())
      return line(when + "goto " + targets_[pick(static_cast<uint32_t>(targets_.size()))] + ";");
    if (chance(50) && loops_ > 0) return line(when + one_of({"break;", "continue;"}));
    if (chance(30) && returned_ != Shape::kStruct) {
      line(when + "{");
      ++indent_;
      leave(false);
      --indent_;
      return line("}");
    }
    assign();
  }

  std::mt19937 random_;
  std::string p_;
  std::string text_;
  size_t indent_ = 0;
  uint32_t depth_ = 0;  // of loops, those by goto included
  uint32_t loops_ = 0;  // that break and continue can mean
  uint32_t switches_ = 0;
  uint32_t backward_ = 0;
  uint32_t next_label_ = 0;
  bool may_call_pointers_ = false;
  Shape returned_ = Shape::kNumber;
  std::vector<Callee> callees_;
  std::vector<std::string> targets_;
};

}  // namespace

std::string random_c_program(uint32_t seed, const std::string& prefix) {
  return Generator(seed, prefix).run();
}

}  // namespace heddle::program
