/* args: 3 5 | 8 2 | 12 1 | 0 9 : weak symbols that are not there, pointers that null is added to */
#include <cstdio>
#include <cstdlib>
extern "C" int missing(void) __attribute__((weak));
extern int gone __attribute__((weak));
extern int table[4] __attribute__((weak));
static int over(const int *a, const int *b) {
    int s = 0;
    if (b == nullptr) {
        for (int i = 0; i < 3; i++) {
            s++;
        }
    }
    for (; a != b; a++) {
        s += *a;
    }
    return s;
}
int main(int argc, char **argv) {
    int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
    int s = 0, buf[4] = {n, m, 1, 2};
    int *g = &gone;
    int k = g ? *g : m;
    for (int i = 0; i < k; i++) {
        s++;
    }
    if (missing != nullptr) {
        for (int i = 0; i < n; i++) {
            s++;
        }
    }
    int (*f)(void) = missing;
    if (!f) {
        for (int i = 0; i < n; i++) {
            s++;
        }
    }
    if (&table[0]) {
        for (int i = 0; i < n; i++) {
            s++;
        }
    }
    int *p = n > 3 ? buf : nullptr;
    s += over(p, p + (n > 3 ? 2 : 0));
    int *q = p + (n > 3);
    if (!q) {
        for (int i = 0; i < m; i++) {
            s++;
        }
    }
    std::printf("%d\n", s);
}
