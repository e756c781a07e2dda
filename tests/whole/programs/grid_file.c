/* 4 5: rows=4 columns=5 r=4 c=5 | 7 2: rows=7 columns=2 r=7 c=2 */
#include <stdio.h>
#include <stdlib.h>

static int write_grid(const char *path, int r, int c) {
    FILE *f = fopen(path, "w");
    if (!f) {
        return 0;
    }
    fprintf(f, "%d %d\n", r, c);
    for (int i = 0; i < r * c; i++) { /* r*c */
        fprintf(f, "%d ", i);
    }
    return fclose(f) == 0;
}

int main(int argc, char **argv) {
    if (argc < 3 || !write_grid("grid.txt", atoi(argv[1]), atoi(argv[2]))) {
        fprintf(stderr, "usage: %s rows columns\n", argv[0]);
        return 1;
    }
    FILE *f = fopen("grid.txt", "r");
    int rows, columns;
    if (!f || fscanf(f, "%d %d", &rows, &columns) != 2 || rows < 1 || columns < 1) {
        fprintf(stderr, "grid.txt: no grid\n");
        return 1;
    }
    int *grid = malloc(sizeof(int) * rows * columns);
    if (!grid) {
        fclose(f);
        return 1;
    }
    for (int i = 0; i < rows; i++) { /* rows */
        for (int j = 0; j < columns; j++) { /* rows*columns */
            if (fscanf(f, "%d", &grid[i * columns + j]) != 1) {
                free(grid);
                fclose(f);
                return 1;
            }
        }
    }
    fclose(f);
    remove("grid.txt");
    long s = 0;
    for (int j = 0; j < columns; j++) { /* columns */
        for (int i = 0; i < rows; i++) { /* rows*columns */
            s += grid[i * columns + j];
        }
    }
    printf("%ld\n", s);
    free(grid);
    return 0;
}
