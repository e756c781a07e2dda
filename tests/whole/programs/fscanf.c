/* 5 7: n=5 m=7 | 6 3: n=6 m=3 */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int n, m;
    char path[80];
    if (argc < 3) {
        return 1;
    }
    snprintf(path, sizeof path, "shape-%s-%s.cfg", argv[1], argv[2]);
    FILE *o = fopen(path, "w");
    if (!o) {
        return 1;
    }
    fprintf(o, "%s %s\n", argv[1], argv[2]);
    fclose(o);
    FILE *f = fopen(path, "r");
    if (!f) {
        perror("open");
        return 1;
    }
    if (fscanf(f, "%d %d", &n, &m) != 2) {
        fprintf(stderr, "bad\n");
        fclose(f);
        return 1;
    }
    fclose(f);
    int **a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++) { /* n */
        a[i] = malloc(m * sizeof **a);
        for (int j = 0; j < m; j++) { /* n*m */
            a[i][j] = i * j;
        }
    }
    long s = 0;
    for (int i = 0; i < n; i++) { /* n */
        for (int j = i; j < m; j++) { /* data */
            s += a[i][j];
        }
    }
    for (int i = 0; i < n; i++) { /* n */
        free(a[i]);
    }
    free(a);
    printf("%ld\n", s);
    return 0;
}
