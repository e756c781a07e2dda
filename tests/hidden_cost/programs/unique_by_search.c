/* Different values collected by a search through all that were found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int contains(const int *a, int n, int x) {
    for (int i = 0; i < n; i++)
        if (a[i] == x)
            return 1;
    return 0;
}

int slow(const int *in, int n, int *out) {
    int count = 0;
    for (int i = 0; i < n; i++)
        if (!contains(out, count, in[i])) /* finding: contains out */
            out[count++] = in[i];
    return count;
}

int fast(const int *in, int n, int *out, int *table, int room) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        unsigned h = (unsigned)in[i] % room;
        while (table[h] && table[h] != in[i] + 1)
            h = (h + 1) % room;
        if (!table[h]) {
            table[h] = in[i] + 1;
            out[count++] = in[i];
        }
    }
    return count;
}

int main(void) {
    int a[5] = {1, 2, 1, 3, 2}, o[5], t[16] = {0}; printf("%d %d\n", slow(a, 5, o), fast(a, 5, o, t, 16));
    return 0;
}
