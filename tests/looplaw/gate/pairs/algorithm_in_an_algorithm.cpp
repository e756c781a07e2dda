// expected: growth
// -- before
#include <algorithm>
#include <vector>
bool overlaps(const std::vector<int> &a, const std::vector<int> &b) {
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) { if (a[i] == b[j]) return true; if (a[i] < b[j]) i++; else j++; }
  return false;
}
// -- after
#include <algorithm>
#include <vector>
bool overlaps(const std::vector<int> &a, const std::vector<int> &b) {
  return std::any_of(a.begin(), a.end(), [&](int x) { return std::find(b.begin(), b.end(), x) != b.end(); });
}
