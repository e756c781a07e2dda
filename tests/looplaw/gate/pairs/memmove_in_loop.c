// expected: growth
// -- before
#include <string.h>
void f(int *a, int n) {
    for (int i = 0; i < n; i++) a[i] = i;
}
// -- after
#include <string.h>
void f(int *a, int n) {
    for (int i = 0; i < n; i++) {
        memmove(a+1, a, (size_t) n*4);
        a[0] = i;
    }
}
