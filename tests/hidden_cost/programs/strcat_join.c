/* Words joined by strcat, which walks over all that it has written (Schlemiel the painter). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void slow(char *out, char **words, int n) {
    out[0] = 0;
    for (int i = 0; i < n; i++) {
        strcat(out, words[i]); /* finding: strcat out */
    }
}

void fast(char *out, char **words, int n) {
    char *end = out;
    for (int i = 0; i < n; i++)
        end = stpcpy(end, words[i]);
}

int main(void) {
    char b[100]; char *w[3] = {"a", "b", "c"}; slow(b, w, 3); fast(b, w, 3); puts(b);
    return 0;
}
