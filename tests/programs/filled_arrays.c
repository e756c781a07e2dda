// vary: n=0:20 u=-3:9; exact: 41 of 43
#include <stdio.h>
#include <stdlib.h>

static volatile long s = 0;
static int table[64];

static void rows(int n, const int *start, const double *values) {
    for (int i = 0; i < n; i++) {
        for (int k = start[i]; k < start[i + 1]; k++) {
            s += values[k] > 0;
        }
    }
}

static void row(const int *start, int i) {
    for (int k = start[i]; k < start[i + 1]; k++) {
        s++;
    }
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int n = atoi(argv[1]);
    int u = atoi(argv[2]);
    int *start = malloc((n + 1) * sizeof(int));
    start[0] = 0;
    for (int i = 0; i < n; i++) {
        start[i + 1] = start[i] + u;
    }
    int *triples = malloc((n + 1) * sizeof(int));
    triples[0] = 0;
    for (int i = 0; i < n; i++) {
        triples[i + 1] = triples[i] + 3;
    }
    double *values = calloc(n * (u > 3 ? u : 3) + 1, sizeof(double));
    for (int i = 0; i < n; i++) {
        for (int k = start[i]; k < start[i + 1]; k++) {
            values[k] = k;
        }
    }
    for (int t = 0; t < 4; t++) {
        rows(n, triples, values);
        for (int i = 0; i < n; i++) {
            row(triples, i);
        }
    }
    int *length = malloc(n * sizeof(int) + 4);
    for (int i = 0; i < n; i++) {
        length[i] = i + 2;
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = 0; k < length[i]; k++) {
            s++;
        }
    }
    size_t *offset = malloc((n + 2) * sizeof(size_t));
    offset[0] = 3;
    for (int i = 1; i <= n; i++) {
        offset[i] = offset[i - 1] + i;
    }
    for (int i = 0; i < n; i++) {
        for (size_t k = offset[i]; k < offset[i + 1]; k++) {
            s++;
        }
    }
    for (int i = 0; i < n; i++) {
        table[i] = 2 * u;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < table[i]; k++) {
            s++;
        }
    }
    for (int r = 0; r < n; r++) {
        int t[4];
        for (int i = 0; i < 4; i++) {
            t[i] = r + i;
        }
        for (int i = 3; i >= 0; i--) {
            for (int k = 0; k < t[i]; k++) {
                s++;
            }
        }
    }
    int *squares = malloc((n + 1) * sizeof(int));
    for (int i = 0; i <= n; i++) {
        squares[i] = i * i;
    }
    for (int i = 1; i < n; i++) {
        for (int k = squares[i - 1]; k < squares[i]; k++) {
            s++;
        }
    }
    // what follows is not what one loop has left
    int *changed = malloc(n * sizeof(int) + 4);
    for (int i = 0; i < n; i++) {
        changed[i] = u;
    }
    if (n > 3) changed[2] = 7;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < changed[i]; k++) {
            s++;
        }
    }
    int *half = calloc(n + 1, sizeof(int));
    for (int i = 0; i < n / 2; i++) {
        half[i] = u;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < half[i]; k++) {
            s++;
        }
    }
    int *spread = calloc(2 * n + 2, sizeof(int));
    for (int i = 0; i < n; i++) {
        spread[2 * i] = u;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < spread[i]; k++) {
            s++;
        }
    }
    int *ended = calloc(n + 1, sizeof(int));
    for (int i = 0; i < n; i++) {
        if (i == u) break;
        ended[i] = u;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < ended[i]; k++) {
            s++;
        }
    }
    int *used = malloc(n * sizeof(int) + 4);
    for (int i = 0; i < n; i++) {
        used[i] = u;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < used[i]; k++) {
            s++;
        }
        used[(i * 7) % n] = 1;
    }
    int *some = calloc(n + 1, sizeof(int));
    for (int i = 0; i < n; i++) {
        if (i % 2) some[i] = u;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < some[i]; k++) {
            s++;
        }
    }
    printf("%ld\n", (long)s);
    return 0;
}
