/* 5: n=5 | 8: n=8 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    FILE *f = tmpfile();
    if (f == NULL) {
        perror("tmpfile");
        return EXIT_FAILURE;
    }
    for (int i = 0; i < n; i++) { /* n */
        fprintf(f, "%s line %d of the text\n", i % 2 ? "odd" : "even", i);
    }
    rewind(f);
    char buffer[256];
    int lines = 0;
    long characters = 0;
    while (fgets(buffer, sizeof buffer, f)) { /* lines */
        lines++;
        for (size_t k = 0; buffer[k] != '\0'; k++) { /* data */
            characters += buffer[k] != ' ';
        }
    }
    rewind(f);
    int c, words = 0, inside = 0;
    while ((c = fgetc(f)) != EOF) { /* characters */
        int letter = c != ' ' && c != '\n';
        words += letter && !inside;
        inside = letter;
    }
    fclose(f);
    printf("%d %ld %d\n", lines, characters, words);
    return 0;
}
