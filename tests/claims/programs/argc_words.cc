/* args: | 4 | 8 2 3 | 5 6 | 9 1 1 1 : loops over the words; options that end the program */
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
struct Options {
    std::vector<std::string> words;
    bool many = false;
    Options(int argc, char **argv) {
        for (int i = 1; i < argc; ++i) {
            words.emplace_back(argv[i]);
        }
        if (argc > 4) many = true;
    }
};
static void version() {
    for (int i = 0; i < 2; i++) {
        std::puts("version");
    }
    std::exit(0);
}
template <class F> static void times(int n, F f) {
    for (int i = 0; i < n; i++) {
        f(i);
    }
}
int main(int argc, char **argv) {
    long s = 0;
    for (char **p = argv + 1; *p; p++) {
        s++;
    }
    while (--argc > 0) {
        s++;
    }
    int number = 0;
    while (argv[number]) {
        number++;
    }
    if (number == 3) version();
    Options options(number, argv);
    times(number, [&](int) { s++; });
    if (options.many) {
        for (int i = 0; i < 5; i++) {
            s++;
        }
    }
    if (number < 2) {
        for (int i = 0; i < 7; i++) {
            s++;
        }
    }
    std::printf("%ld\n", s);
    return 0;
}
