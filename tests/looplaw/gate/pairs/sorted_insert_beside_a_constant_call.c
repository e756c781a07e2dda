// expected: growth
// -- before
#include <stdint.h>
#include <string.h>
static void update(uint32_t *crc, const unsigned char *p, size_t length) {
    while (length--)
        *crc = *crc * 31u ^ *p++;
}
struct peer { struct peer *next; size_t weight; };
struct points { size_t number; uint32_t hash[4096]; };
void sort(uint32_t *, size_t);
void hash_peers(struct points *points, struct peer *peers) {
    uint32_t last = 0;
    for (struct peer *p = peers; p; p = p->next)
        for (size_t j = 0; j < p->weight; j++) {
            uint32_t hash = 7;
            update(&hash, (unsigned char *)&last, 4);
            points->hash[points->number++] = last = hash;
        }
    sort(points->hash, points->number);
}
// -- after
#include <stdint.h>
#include <string.h>
static void update(uint32_t *crc, const unsigned char *p, size_t length) {
    while (length--)
        *crc = *crc * 31u ^ *p++;
}
struct peer { struct peer *next; size_t weight; };
struct points { size_t number; uint32_t hash[4096]; };
static void add(struct points *points, uint32_t hash) {
    size_t low = 0, high = points->number;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (points->hash[middle] < hash)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(points->hash + low + 1, points->hash + low, (points->number - low) * sizeof(uint32_t));
    points->hash[low] = hash;
    points->number++;
}
void hash_peers(struct points *points, struct peer *peers) {
    uint32_t last = 0;
    for (struct peer *p = peers; p; p = p->next)
        for (size_t j = 0; j < p->weight; j++) {
            uint32_t hash = 7;
            update(&hash, (unsigned char *)&last, 4);
            add(points, last = hash);
        }
}
