/* : n=0 */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n, q;
    if (scanf("%d %d", &n, &q) != 2)
        return 1;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) { /* n */
        if (scanf("%d", &a[i]) != 1)
            return 1;
    }
    while (q--) { /* q */
        int lo, hi;
        if (scanf("%d %d", &lo, &hi) != 2)
            break;
        long s = 0;
        for (int i = lo; i < hi; i++) { /* data */
            s += a[i];
        }
        printf("%ld\n", s);
    }
    return 0;
}
