/* Compresses N kilobytes of text with lz4 and takes them apart again. Called as: lz4_text N. */
#include <stdio.h>
#include <string.h>
#include "lz4.h"
#include "text.h"

int main(int argc, char **argv)
{
    int bytes = 1024 * (argc > 1 ? atoi(argv[1]) : 64), most = LZ4_compressBound(bytes);
    char *text = (char *)text_of((size_t)bytes), *small = malloc((size_t)most);
    char *again = malloc((size_t)bytes);
    int packed = LZ4_compress_default(text, small, bytes, most);
    if (packed <= 0)
        return 1;
    if (LZ4_decompress_safe(small, again, packed, bytes) != bytes || memcmp(text, again, bytes))
        return 2;
    printf("%d bytes in %d\n", bytes, packed);
    return 0;
}
