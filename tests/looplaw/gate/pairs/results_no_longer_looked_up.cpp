// expected: undecided
// -- before
#include <unordered_map>
std::unordered_map<int, long> memo;
long ways(int n) {
  if (n < 2) return 1;
  auto it = memo.find(n); if (it != memo.end()) return it->second;
  long r = ways(n - 1) + ways(n - 2);
  memo[n] = r;
  return r;
}
// -- after
#include <unordered_map>
std::unordered_map<int, long> memo;
long ways(int n) {
  if (n < 2) return 1;
  
  long r = ways(n - 1) + ways(n - 2);
  memo[n] = r;
  return r;
}
