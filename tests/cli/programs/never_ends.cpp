// Computes without end, and without anything that heddle could switch at.
int main() {
  for (volatile unsigned i = 0;; i = i + 1) {
  }
}
