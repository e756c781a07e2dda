/* Compresses N kilobytes of text with zlib and takes them apart again. Called as: zlib_text N. */
#include <stdio.h>
#include <string.h>
#include "zlib.h"
#include "text.h"

int main(int argc, char **argv)
{
    uLong bytes = 1024 * (uLong)(argc > 1 ? atoi(argv[1]) : 64);
    uLong packed = compressBound(bytes), back = bytes;
    unsigned char *text = text_of(bytes), *small = malloc(packed), *again = malloc(bytes);
    if (compress2(small, &packed, text, bytes, 6) != Z_OK)
        return 1;
    if (uncompress(again, &back, small, packed) != Z_OK || memcmp(text, again, bytes))
        return 2;
    printf("%lu bytes in %lu\n", bytes, packed);
    return 0;
}
