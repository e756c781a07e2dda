/* 4 5: rows=4 cols=5 | 6 3: rows=6 cols=3 */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int rows, cols;
    double *data;
} matrix;

static matrix *matrix_new(int rows, int cols) {
    matrix *m = malloc(sizeof *m);
    if (m == NULL)
        return NULL;
    m->rows = rows;
    m->cols = cols;
    m->data = calloc((size_t)rows * cols, sizeof(double));
    if (m->data == NULL) {
        free(m);
        return NULL;
    }
    return m;
}

static void matrix_fill(matrix *m, double v) {
    for (int i = 0; i < m->rows; i++) { /* rows */
        for (int j = 0; j < m->cols; j++) { /* rows*cols */
            m->data[i * m->cols + j] = v * (i + j);
        }
    }
}

static double matrix_trace(const matrix *m) {
    double t = 0;
    int least = m->rows < m->cols ? m->rows : m->cols;
    for (int i = 0; i < least; i++) { /* Min(rows, cols) */
        t += m->data[i * m->cols + i];
    }
    return t;
}

static void matrix_free(matrix *m) {
    if (m) {
        free(m->data);
        free(m);
    }
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s rows cols\n", argv[0]);
        return 1;
    }
    int rows = atoi(argv[1]), cols = atoi(argv[2]);
    matrix *m = matrix_new(rows, cols);
    if (!m) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    matrix_fill(m, 0.5);
    printf("%g\n", matrix_trace(m));
    matrix_free(m);
    return 0;
}
