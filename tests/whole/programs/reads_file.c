/* 5: n=5 | 9: n=9 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 4;
    FILE *out = tmpfile();
    if (out == NULL)
        return 1;
    for (int i = 0; i < n; i++) { /* n */
        fprintf(out, "%d %g\n", i, 0.5 * i);
    }
    rewind(out);
    char line[128];
    int rows = 0;
    double sum = 0;
    while (fgets(line, sizeof line, out) != NULL) { /* lines */
        int key;
        double value;
        if (sscanf(line, "%d %lf", &key, &value) != 2)
            continue;
        for (int k = 0; k < 4; k++) { /* 4*f*lines */
            sum += value * k;
        }
        rows++;
    }
    fclose(out);
    double *table = calloc(rows, sizeof *table);
    for (int i = 0; i < rows; i++) { /* rows */
        table[i] = sum;
    }
    printf("%d %g\n", rows, table[0]);
    return 0;
}
