/* A text whose first character is erased at each step. */
#include <cstdio>
#include <string>

int slow(std::string text) {
    int n = 0;
    while (!text.empty()) {
        n += text[0] == ',';
        text.erase(0, 1); /* finding: erase text */
    }
    return n;
}

int fast(const std::string &text) {
    int n = 0;
    for (char c : text)
        n += c == ',';
    return n;
}

int main() {
    std::printf("%d %d\n", slow("a,b"), fast("a,b"));
    return 0;
}
