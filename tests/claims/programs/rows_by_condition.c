/* args: 4 3 | 1 1 | 0 3 | 3 0 | 6 2 : rows filled under conditions, and arrays that only look like it */
#include <stdio.h>
#include <stdlib.h>
struct csr {
    int n, *ptr, *col;
};
static struct csr grid(int nx, int ny) {
    struct csr a;
    int k = 0;
    a.n = nx * ny;
    a.ptr = malloc((a.n + 1) * sizeof(int));
    a.col = malloc((5 * a.n + 1) * sizeof(int));
    a.ptr[0] = 0;
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            int row = j * nx + i;
            if (j > 0) a.col[k++] = row - nx;
            if (i > 0) a.col[k++] = row - 1;
            a.col[k++] = row;
            if (i < nx - 1) a.col[k++] = row + 1;
            if (j < ny - 1) a.col[k++] = row + nx;
            a.ptr[row + 1] = k;
        }
    }
    return a;
}
static struct csr started_elsewhere(int nx, int ny) {
    struct csr a;
    int k = 2;
    a.n = nx * ny;
    a.ptr = malloc((a.n + 1) * sizeof(int));
    a.col = malloc((5 * a.n + 1) * sizeof(int));
    a.ptr[0] = 0;
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            if (i > 0) k++;
            a.ptr[j * nx + i + 1] = k;
        }
        k += j;
    }
    return a;
}
static struct csr falling(int nx, int ny) {
    struct csr a;
    int k = 0;
    a.n = nx * ny;
    a.ptr = malloc((a.n + 1) * sizeof(int));
    a.col = malloc((5 * a.n + 1) * sizeof(int));
    for (int j = 0; j < ny; j++) {
        for (int i = 0; i < nx; i++) {
            a.ptr[j * nx + i] = k;
            k += i > 0 ? 3 : -1;
        }
    }
    a.ptr[a.n] = k;
    return a;
}
static long walk(const struct csr *a) {
    long s = 0;
    for (int i = 0; i < a->n; i++) {
        for (int k = a->ptr[i]; k < a->ptr[i + 1]; k++) {
            s += k;
        }
    }
    return s;
}
int main(int argc, char **argv) {
    int nx = argc > 1 ? atoi(argv[1]) : 3, ny = argc > 2 ? atoi(argv[2]) : 3;
    struct csr a = grid(nx, ny), b = started_elsewhere(nx, ny), c = falling(nx, ny);
    long s = walk(&a);
    s += walk(&b);
    s += walk(&c);
    int k = 0, *one = malloc((nx + 1) * sizeof(int));
    for (int i = 0; i < nx; i++) {
        one[i] = k;
        if (i > 1) k++;
        k += 2;
        if (i < nx - 2) k++;
    }
    one[nx] = k;
    for (int i = 0; i < nx; i++) {
        for (int j = one[i]; j < one[i + 1]; j++) {
            s += j;
        }
    }
    for (int i = 0; i < k; i++) {
        s++;
    }
    for (int i = 0; i < nx; i++) {
        int low = i - 2 < 0 ? 0 : i - 2, high = i + 2 >= nx ? nx - 1 : i + 2;
        for (int j = low; j <= high; j++) {
            s += j;
        }
    }
    printf("%ld\n", s);
    return 0;
}
