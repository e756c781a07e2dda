/* Constant strides. L1: ceil(n / 3). L2: ceil((n - 2) / 5). L4: an inner stride in a triangle. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    long s = 0;
    for (int i = 0; i < n; i += 3) { /* L1 */
        s += i;
    }
    for (int i = 2; i < n; i += 5) { /* L2 */
        s += i;
    }
    for (int i = 0; i < n; i++) { /* L3 */
        for (int j = i; j < n; j += 2) { /* L4 */
            s += j;
        }
    }
    printf("%ld\n", s);
    return 0;
}
