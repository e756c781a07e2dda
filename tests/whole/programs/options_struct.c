/* -r 6 -c 4: rows=6 cols=4 sweeps=3 | -s 2 -r 5: rows=5 cols=10 sweeps=2 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct options {
    int rows, cols;
    int sweeps;
};

static void parse(int argc, char **argv, struct options *o) {
    int c;
    o->rows = 20;
    o->cols = 10;
    o->sweeps = 3;
    while ((c = getopt(argc, argv, "r:c:s:h")) != -1) {
        switch (c) {
        case 'r':
            o->rows = atoi(optarg);
            break;
        case 'c':
            o->cols = atoi(optarg);
            break;
        case 's':
            o->sweeps = atoi(optarg);
            break;
        default:
            fprintf(stderr, "usage: %s -r rows -c cols -s sweeps\n", argv[0]);
            exit(2);
        }
    }
}

static double smooth(double *x, int rows, int cols) {
    double change = 0;
    for (int i = 1; i < rows - 1; i++) { /* sweeps*(rows - 2) */
        for (int j = 1; j < cols - 1; j++) { /* sweeps*(rows - 2)*(cols - 2) */
            double old = x[i * cols + j];
            x[i * cols + j] = 0.25 * (x[(i - 1) * cols + j] + x[(i + 1) * cols + j]
                + x[i * cols + j - 1] + x[i * cols + j + 1]);
            change += x[i * cols + j] - old;
        }
    }
    return change;
}

int main(int argc, char **argv) {
    struct options o;
    parse(argc, argv, &o);
    double *x = calloc((size_t)o.rows * o.cols, sizeof *x);
    if (!x)
        return 1;
    for (int i = 0; i < o.rows; i++) { /* rows */
        x[i * o.cols] = i;
    }
    double change = 0;
    for (int s = 0; s < o.sweeps; s++) { /* sweeps */
        change = smooth(x, o.rows, o.cols);
    }
    printf("%g\n", change);
    free(x);
    return 0;
}
