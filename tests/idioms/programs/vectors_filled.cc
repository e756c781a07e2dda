// args: 5 2 | 9 4 | 0 3
#include <algorithm>
#include <numeric>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

static volatile long s = 0;

static void constant(int n) {
    std::vector<int> a(n, 5);
    for (int i = 0; i < n; i++) { /* law: n */
        for (int j = 0; j < a[i]; j++) { /* law: 5*n */
            s++;
        }
    }
}

static void filled(int n) {
    std::vector<int> a(n);
    std::fill(a.begin(), a.end(), 3);
    for (int i = 0; i < n; i++) { /* law: n */
        for (int j = 0; j < a[i]; j++) { /* law: 3*n */
            s++;
        }
    }
}

static void numbered(int n) {
    std::vector<int> a(n);
    std::iota(a.begin(), a.end(), 0);
    for (int i = 0; i < n; i++) { /* law: n */
        for (int j = 0; j < a[i]; j++) { /* law: n*(n - 1)/2 */
            s++;
        }
    }
}

static void pushed(int n) {
    std::vector<int> a;
    for (int i = 0; i < n; i++) { /* law: n */
        a.push_back(2 * i + 1);
    }
    for (int i = 0; i < n; i++) { /* law: n */
        for (int j = 0; j < a[i]; j++) { /* law: n**2 */
            s++;
        }
    }
}

static void updated(int n, int m) {
    std::vector<int> a;
    a.assign(n, m);
    for (int i = 0; i < n; i++) { /* law: n */
        a[i] += i;
    }
    for (int i = 0; i < n; i++) { /* law: n */
        for (int j = 0; j < a[i]; j++) { /* law: n*m + n*(n - 1)/2 */
            s++;
        }
    }
}

static void swapped(int n) {
    std::vector<int> a(n, 1), b(n, 2);
    a.swap(b);
    b.assign(n, 7);
    for (int i = 0; i < n; i++) { /* law: n */
        for (int j = 0; j < a[i]; j++) { /* law: parametric */
            s++;
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]), m = atoi(argv[2]);
    constant(n);
    filled(n);
    numbered(n);
    pushed(n);
    updated(n, m);
    swapped(n);
    printf("%ld\n", (long)s);
    return 0;
}
