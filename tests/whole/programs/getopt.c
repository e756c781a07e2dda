/* -r 6 -c 5 -k 3: rows=6 cols=5 reps=3 | -r 9 -c 4 -k 2: rows=9 cols=4 reps=2 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct cfg {
    int rows, cols, reps;
};
static int read_cfg(struct cfg *c, int argc, char *argv[]) {
    int o;
    c->rows = c->cols = 64;
    c->reps = 3;
    while ((o = getopt(argc, argv, "r:c:k:")) != -1) { /* data */
        switch (o) {
        case 'r':
            c->rows = atoi(optarg);
            break;
        case 'c':
            c->cols = atoi(optarg);
            break;
        case 'k':
            c->reps = atoi(optarg);
            break;
        default:
            return -1;
        }
    }
    return 0;
}
int main(int argc, char *argv[]) {
    struct cfg c;
    if (read_cfg(&c, argc, argv)) {
        return 1;
    }
    float *m = calloc((size_t)c.rows * c.cols, sizeof *m);
    if (m == NULL) {
        return 2;
    }
    float s = 0;
    for (int k = 0; k < c.reps; k++) { /* reps */
        for (int i = 0; i < c.rows; i++) { /* reps*rows */
            for (int j = 0; j < c.cols; j++) { /* reps*rows*cols */
                s += m[i * c.cols + j] += k;
            }
        }
    }
    printf("%g\n", s);
    free(m);
    return 0;
}
