// expected: nothing
// -- before
void f(char *a, int n) {
    for (int i = 0; i < n; i++) a[i] = 0;
}
// -- after
#include <string.h>
void f(char *a, int n) {
    if (n > 0) memset(a, 0, n);
}
