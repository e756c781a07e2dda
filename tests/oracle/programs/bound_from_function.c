/* Bounds that functions return. L1: 2 n + 3. L3 counts L2's bound, floor(n / 2) + 1. */
#include <stdio.h>
#include <stdlib.h>

static int size(int n)
{
    return 2 * n + 3;
}

static int half(int n)
{
    int count = 1;
    for (int i = 2; i <= n; i += 2) { /* L3 */
        count++;
    }
    return count;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6;
    long s = 0;
    for (int i = 0; i < size(n); i++) { /* L1 */
        s += i;
    }
    int top = half(n);
    for (int i = 0; i < top; i++) { /* L2 */
        s += i;
    }
    printf("%ld\n", s);
    return 0;
}
