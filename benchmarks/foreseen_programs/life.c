/* 200 20 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void step(const unsigned char *a, unsigned char *b, int n) {
    for (int i = 1; i + 1 < n; i++)
        for (int j = 1; j + 1 < n; j++) {
            int near = -a[i * n + j];
            for (int y = -1; y <= 1; y++) for (int x = -1; x <= 1; x++) near += a[(i + y) * n + j + x];
            b[i * n + j] = near == 3 || (near == 2 && a[i * n + j]);
        }
}
static int bits(unsigned x) { int n = 0; while (x) { x &= x - 1; n++; } return n; }
static void flood(unsigned char *a, int *stack, int n, int at, int paint) {
    int top = 0, old = a[at];
    if (old == paint) return;
    stack[top++] = at;
    while (top) {
        int k = stack[--top];
        if (a[k] != old) continue;
        a[k] = paint;
        int to[4] = {k - 1, k + 1, k - n, k + n};
        for (int d = 0; d < 4; d++) if (to[d] >= 0 && to[d] < n * n && a[to[d]] == old) stack[top++] = to[d];
    }
}
int main(int argc, char **argv) {
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    unsigned char *a = calloc(n, n), *b = calloc(n, n);
    int *stack = malloc(16L * n * n);
    unsigned st = 5; long s = 0;
    for (int i = 0; i < n * n; i++) { st = st * 1664525u + 1013904223u; a[i] = st >> 31; s += bits(st); }
    for (int r = 0; r < steps; r++) { step(a, b, n); unsigned char *t = a; a = b; b = t; }
    for (int r = 0; r < 8; r++) flood(b, stack, n, n / 2 * n + n / 2, 2 + r % 2);
    for (int i = 0; i < n * n; i++) s += a[i] + b[i];
    printf("%ld\n", s);
    return 0;
}
