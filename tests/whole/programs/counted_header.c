/* 5 3: n=5 m=3 | 2 6: n=2 m=6 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3)
        return 1;
    FILE *f = tmpfile();
    if (!f) {
        perror("tmpfile");
        return 1;
    }
    fprintf(f, "%d %d\n", atoi(argv[1]), atoi(argv[2]));
    for (int i = 0; i < atoi(argv[1]) * atoi(argv[2]); i++) {
        fprintf(f, "%d ", i);
    }
    rewind(f);
    int n, m;
    if (fscanf(f, "%d", &n) != 1 || fscanf(f, "%d", &m) != 1) {
        fprintf(stderr, "no header\n");
        return 1;
    }
    int *a = malloc(sizeof(int) * n * m);
    if (!a)
        return 1;
    for (int i = 0; i < n; i++) { /* n */
        for (int j = 0; j < m; j++) { /* n*m */
            if (fscanf(f, "%d", &a[i * m + j]) != 1) {
                fprintf(stderr, "too short\n");
                return 1;
            }
        }
    }
    long total = 0;
    for (int j = 0; j < m; j++) { /* m */
        for (int i = 0; i < n; i++) { /* n*m */
            total += a[i * m + j];
        }
    }
    printf("%ld\n", total);
    free(a);
    fclose(f);
    return 0;
}
