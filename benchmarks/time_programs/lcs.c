/* Longest common subsequence of two random words (two rows), and an edit-distance table kept whole. */
#include <stdio.h>
#include <stdlib.h>

static int subsequence(int n, const char *a, const char *b, int *row) {
    for (int j = 0; j <= n; j++) row[j] = 0;
    for (int i = 1; i <= n; i++) {
        int diagonal = 0;
        for (int j = 1; j <= n; j++) {
            int above = row[j];
            if (a[i - 1] == b[j - 1]) row[j] = diagonal + 1;
            else row[j] = above > row[j - 1] ? above : row[j - 1];
            diagonal = above;
        }
    }
    return row[n];
}

static int distance(int n, const char *a, const char *b, int *table) {
    size_t w = (size_t)n + 1;
    for (int j = 0; j <= n; j++) table[j] = j;
    for (int i = 1; i <= n; i++) {
        table[i * w] = i;
        for (int j = 1; j <= n; j++) {
            int best = table[(i - 1) * w + j - 1] + (a[i - 1] != b[j - 1]);
            int up = table[(i - 1) * w + j] + 1, left = table[i * w + j - 1] + 1;
            if (up < best) best = up;
            if (left < best) best = left;
            table[i * w + j] = best;
        }
    }
    return table[n * w + n];
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 500;
    char *a = malloc(n), *b = malloc(n);
    int *row = malloc((n + 1) * sizeof *row), *table = malloc((size_t)(n + 1) * (n + 1) * sizeof *table);
    unsigned state = 5;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        a[i] = 'a' + (state >> 20) % 4;
        state = state * 1664525u + 1013904223u;
        b[i] = 'a' + (state >> 20) % 4;
    }
    printf("%d %d\n", subsequence(n, a, b, row), distance(n, a, b, table));
    return 0;
}
