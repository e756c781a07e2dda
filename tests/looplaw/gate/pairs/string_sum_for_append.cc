// expected: growth
// -- before
#include <string>
std::string f(int n) {
    std::string s;
    for (int i = 0; i < n; i++) s += (char)('a' + i % 26);
    return s;
}
// -- after
#include <string>
std::string f(int n) {
    std::string s;
    for (int i = 0; i < n; i++) s = s + (char)('a' + i % 26);
    return s;
}
