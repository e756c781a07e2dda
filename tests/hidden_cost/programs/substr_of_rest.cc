/* A parser that keeps the rest of its text as a new text. */
#include <cstdio>
#include <string>

int slow(std::string text) {
    int n = 0;
    while (!text.empty()) {
        n += text[0] == ',';
        text = text.substr(1); /* finding: substr text */
    }
    return n;
}

int fast(const std::string &text) {
    int n = 0;
    std::size_t at = 0;
    while (at < text.size()) {
        n += text[at] == ',';
        ++at;
    }
    return n;
}

int main() {
    std::printf("%d %d\n", slow("a,b"), fast("a,b"));
    return 0;
}
