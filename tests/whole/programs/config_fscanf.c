/* 5 3: n=5 steps=3 | 8 2: n=8 steps=2 */
#include <stdio.h>
#include <stdlib.h>

static void write_config(const char *path, const char *n, const char *steps) {
    FILE *f = fopen(path, "w");
    if (!f)
        exit(1);
    fprintf(f, "%s %s 0.5\n", n, steps);
    fclose(f);
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 1;
    char path[64];
    snprintf(path, sizeof path, "config.%s.%s.txt", argv[1], argv[2]);
    write_config(path, argv[1], argv[2]);
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        fprintf(stderr, "cannot open %s\n", path);
        return 1;
    }
    int n, steps;
    double dt;
    if (fscanf(f, "%d %d %lf", &n, &steps, &dt) != 3) {
        fprintf(stderr, "bad configuration\n");
        fclose(f);
        return 1;
    }
    fclose(f);
    remove(path);
    double *x = calloc(n, sizeof *x), *v = calloc(n, sizeof *v);
    for (int i = 0; i < n; i++) { /* n */
        v[i] = i;
    }
    for (int t = 0; t < steps; t++) { /* steps */
        for (int i = 0; i < n; i++) { /* n*steps */
            x[i] += dt * v[i];
        }
    }
    printf("%g\n", x[n - 1]);
    return 0;
}
