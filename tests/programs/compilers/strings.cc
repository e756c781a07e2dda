/* args: 5 | 0 | 12 : std::string built and scanned; loops that do not depend on it */
#include <cstdio>
#include <cstdlib>
#include <string>
int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int n = std::atoi(argv[1]);
    std::string text;
    for (int i = 0; i < n; i++) {
        text += static_cast<char>('a' + i % 26);
    }
    int vowels = 0;
    for (char c : text) {
        vowels += c == 'a' || c == 'e';
    }
    for (int i = 0; i < 2 * n + 1; i++) {
        vowels ^= i;
    }
    std::printf("%d %s\n", vowels, text.c_str());
}
