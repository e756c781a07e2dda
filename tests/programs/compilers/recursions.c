/* args: 5 | 0 | 9 : recursion, linear and by halves, mutual, with loops inside */
#include <stdio.h>
#include <stdlib.h>
static long down(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) {
        s += i;
    }
    return n > 0 ? s + down(n - 1) : s;
}
static long halves(int n) {
    long s = 0;
    for (int i = 0; i < n; i++) {
        s++;
    }
    if (n > 1) s += halves(n / 2) + halves(n / 2);
    return s;
}
static int odd(int n);
static int even(int n) {
    for (int i = 0; i < 2; i++) {
        n += i;
    }
    return n <= 1 ? 1 : odd(n - 2);
}
static int odd(int n) {
    return n <= 0 ? 0 : even(n - 1);
}
int main(int argc, char **argv) {
    if (argc != 2) return 2;
    int n = atoi(argv[1]);
    printf("%ld %ld %d\n", down(n), halves(n), even(n));
}
