/* args: 3 5 | 8 2 | 12 1 | 0 9 : streams that write memory of the program later */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int s = 0;
    int cells[64];
    cells[0] = n;
    FILE *f = tmpfile();
    setvbuf(f, (char *)cells, _IOFBF, sizeof cells);
    fprintf(f, "%c%c%c%c", 4, 0, 0, 0);
    for (int i = 0; i < cells[0]; i++) {
        s++;
    }
    cells[1] = m;
    fputc(6, f);
    fputc(0, f);
    fputc(0, f);
    fputc(0, f);
    for (int i = 0; i < cells[1]; i++) {
        s++;
    }
    fclose(f);
    char *text = NULL;
    size_t len = n;
    FILE *g = open_memstream(&text, &len);
    len = n;
    fprintf(g, "%s", "hello");
    fflush(g);
    for (size_t i = 0; i < len; i++) {
        s += text[i];
    }
    len = m;
    fputs("more", g);
    fclose(g);
    for (size_t i = 0; i < len; i++) {
        s += text[i];
    }
    int t[2] = {n, m};
    FILE *h = fmemopen(t, sizeof t, "w");
    t[0] = n;
    int three = 3;
    fwrite(&three, 4, 1, h);
    fflush(h);
    for (int i = 0; i < t[0]; i++) {
        s++;
    }
    t[1] = m;
    fwrite(&three, 4, 1, h);
    fclose(h);
    for (int i = 0; i < t[1]; i++) {
        s++;
    }
    printf("%d\n", s);
    return 0;
}
