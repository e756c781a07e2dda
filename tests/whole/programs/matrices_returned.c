/* 4 3: n=4 reps=3 | 8 2: n=8 reps=2 */
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int rows, cols; /* both in one register where a function returns them */
    double *d;
} matrix;
static matrix make(int rows, int cols) {
    matrix m;
    m.rows = rows;
    m.cols = cols;
    m.d = calloc((size_t)rows * cols, sizeof *m.d);
    if (!m.d) {
        perror("calloc");
        exit(2);
    }
    return m;
}
static void fill(matrix *m) {
    for (int i = 0; i < m->rows * m->cols; ++i) { /* n*(n+1) */
        m->d[i] = i % 7;
    }
}
static matrix transpose(const matrix *a) {
    matrix t = make(a->cols, a->rows);
    for (int i = 0; i < a->rows; ++i) { /* n */
        for (int j = 0; j < a->cols; ++j) { /* n*(n+1) */
            t.d[j * t.cols + i] = a->d[i * a->cols + j];
        }
    }
    return t;
}
static matrix product(const matrix *a, const matrix *b) {
    matrix c = make(a->rows, b->cols);
    for (int i = 0; i < a->rows; ++i) { /* n*(2*reps-1) */
        for (int k = 0; k < a->cols; ++k) { /* n*(n+1)*reps + n**2*(reps-1) */
            for (int j = 0; j < b->cols; ++j) { /* n**2*(n+1)*(2*reps-1) */
                c.d[i * c.cols + j] += a->d[i * a->cols + k] * b->d[k * b->cols + j];
            }
        }
    }
    return c;
}
int main(int argc, char *argv[]) {
    int n = 10, reps = 1;
    if (argc > 1)
        n = atoi(argv[1]);
    if (argc > 2)
        reps = atoi(argv[2]);
    matrix a = make(n, n + 1);
    fill(&a);
    matrix t = transpose(&a), p = product(&a, &t);
    for (int r = 1; r < reps; r++) { /* reps-1 */
        matrix q = product(&p, &a), w = product(&q, &t);
        free(p.d);
        free(q.d);
        p = w;
    }
    printf("%g\n", p.d[0]);
    free(p.d);
    free(t.d);
    free(a.d);
    return 0;
}
