// expected: growth
// -- before
int first(const char *text) { return text[0]; }
// -- after
#include <string.h>
int first(const char *text, int times) {
    int sum = text[0];
    for (int i = 0; i < times; i++)
        if (strchr(text, 'a' + i))
            sum++;
    return sum;
}
