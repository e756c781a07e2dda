// 3000 30
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
static std::vector<std::string> split(const std::string &s, char at) {
    std::vector<std::string> found(1);
    for (char c : s) if (c == at) found.emplace_back(); else found.back() += c;
    return found;
}
static bool palindrome(const std::string &s) {
    for (std::size_t i = 0, j = s.size(); i + 1 < j; i++) if (s[i] != s[--j]) return false;
    return true;
}
static int vowels(const std::string &s) {
    int n = 0;
    for (char c : s) n += c == 'a' || c == 'e' || c == 'i';
    return n;
}
int main(int, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    std::string text;
    unsigned st = 8;
    for (int i = 0; i < n; i++) { st = st * 1664525u + 1013904223u; text += "abae ci,bd"[(st >> 20) % 10]; }
    long s = 0;
    for (int r = 0; r < rounds; r++) {
        auto words = split(text, r % 2 ? ' ' : ',');
        for (auto &w : words) s += palindrome(w) + vowels(w);
        std::string back;
        for (auto it = text.rbegin(); it != text.rend(); ++it) if (*it != ' ') back.push_back(*it);
        s += back.size() + text.find("zz");
    }
    printf("%ld\n", s);
}
