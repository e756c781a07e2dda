/* Words that come again as in prose: most of them often, some rarely. */
#include <stdlib.h>

static unsigned state = 12345;

static unsigned next(void) { return (state = state * 1103515245u + 12345u) >> 8 & 0xffff; }

static unsigned char *text_of(size_t bytes)
{
    static char words[2048][12];
    unsigned char *text = malloc(bytes + 12);
    for (int w = 0; w < 2048; w++)
        for (unsigned k = 0, size = 2 + next() % 8; k < size; k++)
            words[w][k] = (char)('a' + next() % 26);
    for (size_t at = 0; at < bytes;) {
        unsigned limit = 1 + next() % 2048;
        for (const char *c = words[next() % limit]; *c; c++)
            text[at++] = (unsigned char)*c;
        text[at++] = ' ';
    }
    return text;
}
