// expected: nothing
// -- before
#include <stdlib.h>
void f(double *a, int n) {
    for (int i = 0; i < n; i++) a[i] = 0;
}
// -- after
#include <assert.h>
void f(double *a, int n) {
    for (int i = 0; i < n; i++) {
        assert(a);
        a[i] = 0;
    }
}
