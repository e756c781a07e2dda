/* Which of the hypotheses that were ranked get an exact fit: see `search/single_parameter.py`. */

#include "vectors.h"

/* Hypotheses of one size: numbers and log evidence (K, n) of the best, infinite where all are kept,
 * and of all hypotheses the log prior (H) and the factor numbers (H, k). */
typedef struct {
    int64_t n, k;
    const int64_t *number, *rows;
    const double *evidence, *prior;
} Ranked;

/* What so many numbers reach that were put into `best`, sorted, the greatest first. */
static int64_t with_one(double *best, int64_t count, int64_t most, double x) {
    int64_t at = count;
    if (count == most && !(x > best[most - 1])) return count;
    if (count == most) at--;
    else count++;
    for (; at > 0 && best[at - 1] < x; at--) best[at] = best[at - 1];
    best[at] = x;
    return count;
}

/* Numbers (.., K, width) of the hypotheses of each group that are worth it, each once and in
 * ascending order, and how many there are (.., K). Worth it is who is among the `most` most probable
 * of a series, not `hopeless`, and the `always` best of the first group; differences below `equal`
 * are none. Returns SHORT where memory is short. */
int worth(int64_t groups, int64_t series, const Ranked *ranked, int64_t most, int64_t always,
          double hopeless, double equal, int64_t width, int64_t *found, int64_t *counts) {
    int64_t total = 0;
    for (int64_t g = 0; g < groups; g++) total += ranked[g].n;
    most = most < total ? most : total;
    always = always < ranked[0].n ? always : ranked[0].n;
    double *best = malloc(sizeof(double) * (size_t)(most + always));
    if (!best) return SHORT;
    for (int64_t s = 0; s < series; s++) {
        double *first = best + most;
        int64_t count = 0, several = 0;
        for (int64_t g = 0; g < groups; g++)
            for (int64_t i = 0; i < ranked[g].n; i++) {
                const double x = ranked[g].evidence[s * ranked[g].n + i];
                if (!g) several = with_one(first, several, always, x);
                /* kept anyway, and no measure for others */
                count = with_one(best, count, most, x == INFINITY ? -INFINITY : x);
            }
        double limit = best[0] - hopeless;
        limit = (limit > best[most - 1] ? limit : best[most - 1]) - equal;
        for (int64_t g = 0; g < groups; g++) {
            const Ranked *r = ranked + g;
            double least = limit;
            if (!g && first[always - 1] - equal < least) least = first[always - 1] - equal;
            int64_t *to = found + (g * series + s) * width, own = 0;
            for (int64_t i = 0; i < r->n; i++) {
                if (!(r->evidence[s * r->n + i] >= least)) continue;
                const int64_t number = r->number[s * r->n + i];
                int64_t at = own;
                while (at > 0 && to[at - 1] > number) at--;
                if (at > 0 && to[at - 1] == number) continue;
                for (int64_t j = own++; j > at; j--) to[j] = to[j - 1];
                to[at] = number;
            }
            counts[g * series + s] = own;
        }
    }
    free(best);
    return 0;
}

/* Factor numbers (K, n, k) and log prior (K, n) of hypotheses with these numbers (K, width), of
 * which there are counts (K); the others have no probability. */
int numbered(int64_t series, int64_t n, int64_t width, const Ranked *ranked, const int64_t *number,
             const int64_t *counts, int64_t *codes, double *prior) {
    const int64_t k = ranked->k;
    for (int64_t s = 0; s < series; s++)
        for (int64_t i = 0; i < n; i++) {
            const int own = i < counts[s];
            const int64_t h = own ? number[s * width + i] : 0, at = s * n + i;
            memcpy(codes + at * k, ranked->rows + h * k, sizeof(int64_t) * (size_t)k);
            prior[at] = own ? ranked->prior[h] : -INFINITY;
        }
    return 0;
}
