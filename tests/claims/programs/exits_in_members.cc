/* args: 4 | 8 | 0 | 20 | 150 : members, helpers and nested loops that end the program, with and without an error */
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
static long s;
struct Guard {
    int most;
    void check(int i) const {
        if (i > most) {
            std::fprintf(stderr, "too many\n");
            std::exit(EXIT_FAILURE);
        }
    }
    ~Guard() {
        for (int k = 0; k < 2; k++) {
            s++;
        }
    }
};
template <class T> static void quit_at(T i, T at) {
    if (i == at) std::exit(0);
}
static void leave(int status) { _exit(status); }
static void deeper(int i) {
    if (i == 140) leave(0);
}
static int nested(int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 3; j++) {
            quit_at<long>(i + j, 19);
            s++;
        }
    }
    return n;
}
static void after(int n) {
    for (int i = 0; i < n; i++) {
        s++;
    }
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    if (argc > 2 && std::strcmp(argv[2], "-h") == 0) {
        std::puts("help");
        std::exit(0);
    }
    for (int i = 0; i < n; i++) {
        s++;
    }
    if (n == 0) {
        for (int k = 0; k < 5; k++) {
            s++;
        }
        return 0;
    }
    Guard guard{16};
    int i = 0;
    do {
        guard.check(i / 9);
        deeper(i);
        i++;
    } while (i < n);
    after(n);
    int m = nested(n);
    after(m);
    assert(m > 4);
    for (int k = 0; k < 6; k++) {
        s++;
    }
    std::printf("%ld\n", s);
    return 0;
}
