// Statements of a random program.
#include "c_generator.h"

namespace heddle::program {

void Generator::leave(bool at_end) {
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

void Generator::body(uint32_t statements) {
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

void Generator::again(uint32_t statements) {
  const std::string label = "B" + std::to_string(next_label_++);
  const std::string counter = "c" + std::to_string(backward_++);
  line(counter + " = 0;");
  line(label + ":;");
  ++depth_;
  for (uint32_t i = 0; i < statements; ++i) statement();
  --depth_;
  line("if (" + counter + "++ < 2) goto " + label + ";");
}

void Generator::block(uint32_t statements) {
  ++indent_;
  for (uint32_t i = 0; i < statements; ++i) statement();
  --indent_;
}

void Generator::statement() {
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

void Generator::assign() {
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

void Generator::assign_pointer() {
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
      return line(one_of({"n0 = " + short_node(), "n1 = " + long_node(), "ls.next = " + short_node()}) + ";");
    case 10:
      return line(one_of({p_ + "gn", "n0->next", "n1->next", p_ + "gs0.next"}) + " = " + long_node() + ";");
    default:
      return line(one_of({"fp", "n0->fn", "n1->fn", p_ + "tab[(" + expression(0) + ") % 2u]", "ls.fn"}) +
                  " = " + one_of({p_ + "f0", p_ + "f1", p_ + "tab[1]", "n1->fn", "fp"}) + ";");
  }
}

void Generator::memory() {
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

void Generator::call(const Callee& callee) {
  const std::string tail = expression(1) + ", " + short_pointer() + ")";
  const std::string target = one_of({"x0", "x1", "x2", p_ + "g2"});
  switch (callee.shape) {
    case Shape::kNumber: {
      std::string name = callee.name;
      if (may_call_pointers_ && chance(60))
        name = one_of({p_ + "tab[(" + expression(1) + ") % 2u]", "n0->fn", "n1->fn", "fp", "(*fp)", "ls.fn"});
      const std::string whole = name + "(" + tail;
      if (chance(20)) return line(target + " = (" + expression(1) + ") && " + whole + ";");
      if (chance(20)) return line("if (" + whole + " % 3 == 1) " + target + " = " + expression(1) + ";");
      if (chance(20)) return line(target + " = (" + expression(1) + ") ? " + whole + " : " + number(9) + ";");
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
      return line(one_of({"ls", p_ + "gs1"}) + " = " + callee.name + "(" + one_of({p_ + "gs0", "*n1", "ls"}) +
                  ", " + node_object() + "in, " + tail + ";");
    case Shape::kUnion:
      return line(one_of({"lu", p_ + "gu"}) + " = " + callee.name + "(" + one_of({"lu", p_ + "gu"}) + ", " +
                  tail + ";");
  }
}

void Generator::branch() {
  line("if (" + condition() + ") {");
  block(1 + pick(3));
  if (chance(50)) {
    line("} else {");
    block(1 + pick(2));
  }
  line("}");
}

void Generator::loop() {
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

void Generator::cases() {
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

void Generator::jump() {
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

}  // namespace heddle::program
