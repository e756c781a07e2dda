// expected: growth
// -- before
#include <stdlib.h>
int c(const void *a, const void *b) {
    return *(int*) a-*(int*) b;
}
int f(int *v, int n) {
    qsort(v, n, 4, c);
    int r = 0;
    for (int i = 0; i < n; i++) r += v[i];
    return r;
}
// -- after
#include <stdlib.h>
int c(const void *a, const void *b) {
    return *(int*) a-*(int*) b;
}
int f(int *v, int n) {
    int r = 0;
    for (int i = 0; i < n; i++) {
        qsort(v, n, 4, c);
        r += v[i];
    }
    return r;
}
