// args: 4 3 | 10 2 | 0 5
#include <cstdlib>
#include <optional>
struct Options {
  std::optional<int> size, steps;
  std::optional<double> tolerance;
};
static std::optional<int> word(int argc, char **argv, int k) {
  if (k >= argc) {
    return std::nullopt;
  }
  return std::atoi(argv[k]);
}
int main(int argc, char **argv) {
  Options o;
  o.size = word(argc, argv, 1);
  o.steps = word(argc, argv, 2);
  double t = o.tolerance.value_or(0.5);
  for (int i = 0; i < o.steps.value_or(7); ++i) { /* law: m */
    t += i;
  }
  if (o.size) {
    for (int i = 0; i < *o.size; ++i) { /* law: n */
      t *= 0.5;
    }
  }
  for (int i = 0; i < o.tolerance.has_value() + 3; ++i) { /* law: 3 */
    t += i;
  }
  return t > 1;
}
