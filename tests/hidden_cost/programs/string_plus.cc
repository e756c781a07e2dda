/* A text that is copied for each word: s = s + word. */
#include <cstdio>
#include <string>

std::string slow(const char **words, int n) {
    std::string s;
    for (int i = 0; i < n; ++i)
        s = s + words[i]; /* finding: operator+ s */
    return s;
}

std::string fast(const char **words, int n) {
    std::string s;
    for (int i = 0; i < n; ++i)
        s += words[i];
    return s;
}

int main() {
    const char *w[2] = {"a", "b"}; std::puts(slow(w, 2).c_str()); std::puts(fast(w, 2).c_str());
    return 0;
}
