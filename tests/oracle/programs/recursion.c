/* Recursive functions. L1: n + ... + 1. L2: n + 2 floor(n / 2) + ... L3: calls of the Fibonacci tree. */
#include <stdio.h>
#include <stdlib.h>

static long down(int n)
{
    long s = 0;
    if (n < 1)
        return 0;
    for (int i = 0; i < n; i++) { /* L1 */
        s += i;
    }
    return s + down(n - 1);
}

static long halves(int n)
{
    long s = 0;
    if (n < 1)
        return 0;
    for (int i = 0; i < n; i++) { /* L2 */
        s += i;
    }
    return s + halves(n / 2) + halves(n / 2);
}

static long fibonacci(int n)
{
    long s = 0;
    for (int i = 0; i < 1; i++) { /* L3 */
        s++;
    }
    return n < 2 ? s : s + fibonacci(n - 1) + fibonacci(n - 2);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 9;
    long s = 0;
    s += down(n) + halves(n) + fibonacci(n);
    printf("%ld\n", s);
    return 0;
}
