/* 6 2: grid=6 steps=2 | 4 5: grid=4 steps=5 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int grid;
    int steps;
    double alpha;
} Config;

static int read_config(FILE *f, Config *cfg) {
    char key[32];
    double value;
    cfg->grid = 8;
    cfg->steps = 10;
    cfg->alpha = 0.1;
    while (fscanf(f, "%31s %lf", key, &value) == 2) {
        if (strcmp(key, "grid") == 0)
            cfg->grid = (int)value;
        else if (strcmp(key, "steps") == 0)
            cfg->steps = (int)value;
        else if (strcmp(key, "alpha") == 0)
            cfg->alpha = value;
        else {
            fprintf(stderr, "unknown key %s\n", key);
            return -1;
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    FILE *f = tmpfile();
    if (!f)
        return 2;
    fprintf(f, "grid %d\nsteps %d\n", atoi(argv[1]), atoi(argv[2]));
    rewind(f);
    Config cfg;
    if (read_config(f, &cfg) != 0) {
        fclose(f);
        return 1;
    }
    fclose(f);
    double *u = calloc(cfg.grid, sizeof *u), *v = calloc(cfg.grid, sizeof *v);
    for (int i = 0; i < cfg.grid; i++) { /* grid */
        u[i] = i == cfg.grid / 2;
    }
    for (int s = 0; s < cfg.steps; s++) { /* steps */
        for (int i = 1; i < cfg.grid - 1; i++) { /* steps*(grid - 2) */
            v[i] = u[i] + cfg.alpha * (u[i - 1] - 2 * u[i] + u[i + 1]);
        }
        double *t = u;
        u = v;
        v = t;
    }
    printf("%g\n", u[cfg.grid / 2]);
    return 0;
}
