// Expressions of a random program: places, values, pointers.
#include "c_generator.h"

namespace heddle::program {

std::string Generator::node_object() {
  return one_of({p_ + "gs0.", p_ + "gs1.", "ls.", "n0->", "n1->", "n0->next->", p_ + "gn->", p_ + "gh->",
                 "(*n1).",
                 "((struct " + p_ + "node *)((char *)&" + one_of({p_ + "gs0", "ls", "(*n0)"}) +
                     ".in - offsetof(struct " + p_ + "node, in)))->"});
}

std::string Generator::place(uint32_t depth) {
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

std::string Generator::expression(uint32_t depth) {
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

std::string Generator::long_pointer() {
  switch (pick(9)) {
    case 0:
      return "&" + p_ + one_of({"g0", "g1", "g2", "gu.w"});
    case 1:
      return one_of({"&" + p_ + "ga[(" + expression(1) + ") % 6u]", p_ + "ga + (" + expression(0) + ") % 6u",
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

std::string Generator::short_pointer() {
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

std::string Generator::long_node() {
  return one_of(
      {"n1", p_ + "gn", "&" + p_ + "gs0", "&" + p_ + "gs1", p_ + "gh", "n1->next", p_ + "gn->next"});
}

}  // namespace heddle::program
