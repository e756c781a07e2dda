// expected: nothing
// -- before
#include <stdio.h>
void f(double *a, int n) {
    for (int i = 0; i < n; i++) a[i] = 0;
}
// -- after
#include <stdio.h>
void f(double *a, int n) {
    printf("n %d\n", n);
    for (int i = 0; i < n; i++) a[i] = 0;
}
