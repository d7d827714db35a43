// Types, variables and functions of a random program.
#include "c_programs.h"
#include "c_generator.h"

namespace heddle::program {

std::string Generator::run() {
  types();
  globals();
  const uint32_t count = 3 + pick(3);
  for (uint32_t i = 0; i < count; ++i) function(i);
  main();
  return std::move(text_);
}

void Generator::types() {
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

void Generator::globals() {
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

void Generator::locals() {
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

void Generator::function(uint32_t index) {
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

void Generator::main() {
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

std::string random_c_program(uint32_t seed, const std::string& prefix) {
  return Generator(seed, prefix).run();
}

}  // namespace heddle::program
