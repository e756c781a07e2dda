/* Three functions that people time: how do they scale? Called as: peers NAME N. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned state = 12345;
static int next(void) { return (int)((state = state * 1103515245u + 12345u) >> 8 & 0xffff); }

long inversions(const int *a, int n)
{
    long found = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            found += a[j] < a[i];
    return found;
}

long merged(int *a, int *b, int n)
{
    for (int width = 1; width < n; width *= 2) {
        for (int low = 0; low < n; low += 2 * width) {
            int middle = low + width < n ? low + width : n;
            int high = low + 2 * width < n ? low + 2 * width : n;
            int i = low, j = middle;
            for (int k = low; k < high; k++)
                b[k] = i < middle && (j >= high || a[i] <= a[j]) ? a[i++] : a[j++];
        }
        memcpy(a, b, sizeof *a * n);
    }
    return a[0];
}

long smoothed(const int *a, int *b, int n)
{
    for (int k = 0; k < 50; k++)
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    return b[n / 2];
}

#ifndef NO_MAIN
int main(int argc, char **argv)
{
    int n = atoi(argv[2]);
    int *a = malloc(sizeof *a * n), *b = malloc(sizeof *b * n);
    for (int i = 0; i < n; i++)
        a[i] = next();
    memset(b, 0, sizeof *b * n);
    long found = !strcmp(argv[1], "inversions") ? inversions(a, n)
        : !strcmp(argv[1], "merged")            ? merged(a, b, n)
                                                : smoothed(a, b, n);
    printf("%ld\n", found);
    free(a);
    free(b);
    return 0;
}
#endif
