/* Digits put in front of a text. */
#include <algorithm>
#include <cstdio>
#include <string>

std::string slow(unsigned x) {
    std::string s;
    while (x) {
        s.insert(s.begin(), (char)('0' + x % 2)); /* finding: insert s */
        x /= 2;
    }
    return s;
}

std::string fast(unsigned x) {
    std::string s;
    while (x) {
        s.push_back((char)('0' + x % 2));
        x /= 2;
    }
    std::reverse(s.begin(), s.end());
    return s;
}

int main() {
    std::printf("%s %s\n", slow(6).c_str(), fast(6).c_str());
    return 0;
}
