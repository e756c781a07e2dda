// expected: growth
// -- before
#include <algorithm>
#include <string>
#include <vector>
struct Scope { std::vector<std::string> names; };
bool declare(Scope &s, const std::string &n) {
  
  s.names.push_back(n);
  return true;
}
// -- after
#include <algorithm>
#include <string>
#include <vector>
struct Scope { std::vector<std::string> names; };
bool declare(Scope &s, const std::string &n) {
  if (std::count(s.names.begin(), s.names.end(), n)) return false;
  s.names.push_back(n);
  return true;
}
