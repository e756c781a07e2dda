/* Expectation maximisation of what series have in common: see `pooled_levels` in evidence/noise.py. */

#include "vectors.h"

/* `_shares`: the distribution over levels (L), and weights (T) of kinds of laws, from likelihoods
 * (T K, L) of the levels; `found` (T) are series of each kind. The distribution begins with `prior`
 * and the weights with `usual`; each round adds `first` (L) and `usual` (T). Returns 1 where memory
 * is short. */
int pool_levels(int64_t kinds, int64_t count, int64_t levels, int64_t rounds,
                const double *likelihood, const double *first, const double *usual, double pseudo,
                double tiny, double *prior, double *found) {
    const int64_t rows = kinds * count, padded = (levels + LANES - 1) / LANES * LANES;
    double *room = calloc((size_t)((rows + 3) * padded + rows), sizeof(double));
    if (!room) return SHORT;
    double *own = room, *now = own + rows * padded, *next = now + padded, *added = next + padded;
    double *of_kind = added + padded, share[kinds];
    for (int64_t i = 0; i < rows; i++)
        memcpy(own + i * padded, likelihood + i * levels, sizeof(double) * (size_t)levels);
    memcpy(now, prior, sizeof(double) * (size_t)levels);
    memcpy(added, first, sizeof(double) * (size_t)levels);
    for (int64_t q = 0; q < kinds; q++) share[q] = usual[q], found[q] = 0.0;
    for (int64_t round = 0; round < rounds; round++) {
        for (int64_t i = 0; i < rows; i++) {
            vec sum = all(0.0);
            for (int64_t l = 0; l < padded; l += LANES)
                sum += load(own + i * padded + l) * load(now + l);
            of_kind[i] = sum_of(sum);
        }
        for (int64_t l = 0; l < padded; l += LANES) store(next + l, all(0.0));
        for (int64_t q = 0; q < kinds; q++) found[q] = 0.0;
        for (int64_t k = 0; k < count; k++) {
            double total = 0.0;
            for (int64_t q = 0; q < kinds; q++) total += share[q] * of_kind[q * count + k];
            total = total > tiny ? total : tiny;
            for (int64_t q = 0; q < kinds; q++) {
                const double each = share[q] / total;
                const double *from = own + (q * count + k) * padded;
                found[q] += each * of_kind[q * count + k];
                for (int64_t l = 0; l < padded; l += LANES)
                    store(next + l, load(next + l) + each * load(from + l));
            }
        }
        for (int64_t l = 0; l < padded; l += LANES)
            store(now + l, (load(next + l) * load(now + l) + load(added + l)) /
                               ((double)count + pseudo));
        for (int64_t q = 0; q < kinds && kinds > 1; q++) share[q] = found[q] + usual[q];
    }
    memcpy(prior, now, sizeof(double) * (size_t)levels);
    free(room);
    return 0;
}

/* `_traits`: the distribution (T) over kinds of laws from likelihoods (T, K) of the kinds and how
 * far each series counts (K), with the weight `pseudo` of the usual one (T). */
int pool_kinds(int64_t kinds, int64_t count, int64_t rounds, const double *likelihood,
                const double *counts, const double *usual, double pseudo, double tiny,
                double *found) {
    double sums[kinds], total = pseudo;
    for (int64_t k = 0; k < count; k++) total += counts[k];
    for (int64_t q = 0; q < kinds; q++) found[q] = usual[q];
    for (int64_t round = 0; round < rounds; round++) {
        for (int64_t q = 0; q < kinds; q++) sums[q] = usual[q] * pseudo;
        for (int64_t k = 0; k < count; k++) {
            double of_all = 0.0;
            for (int64_t q = 0; q < kinds; q++) of_all += found[q] * likelihood[q * count + k];
            const double each = counts[k] / (of_all > tiny ? of_all : tiny);
            for (int64_t q = 0; q < kinds; q++) sums[q] += each * found[q] * likelihood[q * count + k];
        }
        for (int64_t q = 0; q < kinds; q++) found[q] = sums[q] / total;
    }
    return 0;
}
