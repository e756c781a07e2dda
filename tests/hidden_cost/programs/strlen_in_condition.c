/* A length that the loop's condition asks for anew, as in converters to upper case. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void slow(char *s) {
    for (size_t i = 0; i < strlen(s); i++) /* finding: strlen s */
        if (s[i] >= 'a' && s[i] <= 'z')
            s[i] -= 32;
}

void fast(char *s) {
    size_t n = strlen(s);
    for (size_t i = 0; i < n; i++)
        if (s[i] >= 'a' && s[i] <= 'z')
            s[i] -= 32;
}

int main(void) {
    char text[100] = "some text"; slow(text); fast(text); puts(text);
    return 0;
}
