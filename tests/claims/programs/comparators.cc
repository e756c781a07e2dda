/* args: 4 | 30 | 1 : comparators and visitors that libraries call */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
static long compared;
static int by_value(const void *a, const void *b) {
    for (int k = 0; k < 2; k++) {
        compared++;
    }
    return *(const int *)a - *(const int *)b;
}
struct Less {
    bool operator()(int a, int b) const {
        for (int k = 0; k < 3; k++) {
            compared++;
        }
        return a < b;
    }
};
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    std::vector<int> v(n), w(n);
    for (int i = 0; i < n; i++) {
        v[i] = (i * 7919) % 101;
        w[i] = (i * 104729) % 211;
    }
    qsort(v.data(), n, sizeof(int), by_value);
    std::sort(w.begin(), w.end(), Less());
    std::for_each(v.begin(), v.end(), [](int x) {
        for (int k = 0; k < x % 4; k++) {
            compared++;
        }
    });
    printf("%ld\n", compared);
    return 0;
}
