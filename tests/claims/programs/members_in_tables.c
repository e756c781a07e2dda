/* args: 5 | 9 | 2 : pointers to members of globals that stand in constant tables */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int N = 4;
static struct {
    int nx, ny;
} cfg = {3, 4};
static const struct opt {
    const char *name;
    int *to;
} opts[] = {{"x", &cfg.nx}, {"y", &cfg.ny}, {"N", &N}};
static void set(const char *name, int v) {
    for (int i = 0; i < 3; i++) {
        if (!strcmp(opts[i].name, name)) {
            *opts[i].to = v;
        }
    }
}
static struct grid {
    int dims[2];
    struct level {
        int nx, ny;
    } levels[3];
} grid = {{2, 3}, {{1, 2}, {3, 4}, {5, 6}}};
static int *const places[] = {&grid.dims[1], &grid.levels[1].ny, &grid.levels[2].nx};
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3, s = 0;
    set("y", n + 2);
    for (int j = 0; j < cfg.ny; j++) {
        s++;
    }
    for (int j = 0; j < cfg.nx; j++) {
        s++;
    }
    for (int j = 0; j < N; j++) {
        s++;
    }
    for (int i = 0; i < 3; i++) {
        *places[i] = n + i;
    }
    for (int j = 0; j < grid.dims[1]; j++) {
        s++;
    }
    for (int j = 0; j < grid.levels[1].ny; j++) {
        s++;
    }
    for (int j = 0; j < grid.levels[2].nx; j++) {
        s++;
    }
    for (int j = 0; j < grid.levels[2].ny; j++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
