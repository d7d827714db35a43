// A program that nobody instrumented.
int main() {
  return 0;
}
