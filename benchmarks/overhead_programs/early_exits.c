#include <stdio.h>
#include <stdlib.h>
static int is_prime(unsigned n) {
    if (n < 2) return 0;
    for (unsigned d = 2; d * d <= n; d++) if (n % d == 0) return 0;
    return 1;
}
static int find(const int *a, int n, int x) { for (int i = 0; i < n; i++) if (a[i] == x) return i; return -1; }
static int compare(const char *a, const char *b) { while (*a && *a == *b) { a++; b++; } return (unsigned char)*a - (unsigned char)*b; }
static int lower(const int *a, int n, int x) { int lo = 0, hi = n; while (lo < hi) { int m = lo + (hi - lo) / 2; if (a[m] < x) lo = m + 1; else hi = m; } return lo; }
static int collatz(long n) { int k = 0; while (n != 1) { n = n & 1 ? 3 * n + 1 : n / 2; if (++k > 300) break; } return k; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int a[64]; char w[64][12];
    for (int i = 0; i < 64; i++) { a[i] = i * i % 97; snprintf(w[i], 12, "ab%dx", i * 37 % 100); }
    long s = 0;
    for (int i = 1; i < n; i++) {
        s += is_prime(i);
        s += find(a, 12, i % 97);
        s += compare(w[i % 64], w[(i * 7) % 64]);
        s += collatz(i);
    }
    for (int i = 0; i < 64; i++) a[i] = i * 3;
    for (int i = 1; i < n; i++) s += lower(a, 64, i % 200);
    printf("%ld\n", s);
    return 0;
}
