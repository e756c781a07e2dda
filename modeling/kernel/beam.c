/* The beam search over terms (see `search.beam_search`). */

#include "vectors.h"

typedef struct {
    int64_t series, terms, padded, points, width, levels, patience, wide;
    const double *columns; /* (K, P, T'), of norm one, padded with zeros to full vectors of terms */
    const double *target;  /* (K, P) */
    const double *cost;    /* (K, T), infinite where a term stands twice */
    double worse, exact, exact_stop, remaining, tiny;
} Search;

/* The states of one series: so many, with k terms each. `basis` (B, levels, P), residual (B, P),
 * products (B, T') of the residual with the terms, remaining (B, T'), chosen (B, levels) in the
 * order of choice, parts (B, levels), spent and left (B). */
typedef struct {
    int64_t count;
    double *basis, *residual, *products, *remaining, *parts, *spent, *left;
    int64_t *chosen;
} States;

typedef struct {
    double value;
    int64_t state, term, key;
} Choice;

static size_t room_of(const Search *s, States *to, double *from) {
    double *at = from;
    const int64_t b = s->width;
    to->basis = at, at += b * s->levels * s->points;
    to->residual = at, at += b * s->points;
    to->products = at, at += b * s->padded;
    to->remaining = at, at += b * s->padded;
    to->parts = at, at += b * s->levels;
    to->spent = at, at += b;
    to->left = at, at += b;
    to->chosen = (int64_t *)at, at += b * s->levels;
    return (size_t)(at - from);
}

/* The terms of a set in ascending order, as one number. */
static int64_t key_of(const Search *s, const int64_t *chosen, int64_t size, int64_t term,
                      int64_t *sorted) {
    int64_t count = 0, key = 0;
    for (int64_t i = 0; i <= size; i++) {
        int64_t next = i < size ? chosen[i] : term, at = count++;
        for (; at > 0 && sorted[at - 1] > next; at--) sorted[at] = sorted[at - 1];
        sorted[at] = next;
    }
    for (int64_t i = 0; i < count; i++) key = key * (s->terms + 1) + sorted[i];
    return key;
}

/* The best further terms of all states: at most `width` different sets, the best first. */
static int64_t best(const Search *s, const States *now, int64_t size, const double *cost,
                    double total, Choice *found, int64_t *keys) {
    const double half = (double)(s->points - size) / 2, floor = s->exact * total;
    const int64_t every = now->count * s->terms;
    const int64_t wide = every < s->wide ? every : s->wide;
    const int64_t keep = every < s->width ? every : s->width;
    int64_t mask = 1, count = 0, kept = 0, sorted[s->levels];
    while (mask < every) mask <<= 1;
    mask -= 1;
    double limit = INFINITY, priced[s->padded];
    for (int64_t t = 0; t < s->padded; t++) priced[t] = t < s->terms ? exp(cost[t] / half) : INFINITY;
    for (int64_t b = 0; b < now->count; b++) {
        const double *products = now->products + b * s->padded;
        const double *remaining = now->remaining + b * s->padded;
        const double left = now->left[b], spent = exp(now->spent[b] / half);
        for (int64_t start = 0; start < s->padded; start += LANES) {
            vec r = load(remaining + start), p = load(products + start);
            vec after = left - p * p / larger(r, all(s->remaining));
            after = larger(after, all(floor)) * spent * load(priced + start);
            after = choose(r <= s->remaining, all(INFINITY), after);
            if (!(-most_of(-after) <= limit)) continue;
            for (int64_t l = 0; l < LANES && start + l < s->terms; l++) {
                if (!(after[l] <= limit)) continue;
                int64_t key = (((ivec)after)[l] & ~mask) | (b * s->terms + start + l), at;
                if (count == wide && key >= keys[wide - 1]) continue;
                at = count < wide ? count++ : wide - 1;
                for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
                keys[at] = key;
                if (count == wide) {
                    int64_t above = keys[wide - 1] | mask;
                    memcpy(&limit, &above, sizeof above);
                    limit = isnan(limit) ? INFINITY : limit;
                }
            }
        }
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t place = keys[i] & mask, b = place / s->terms, t = place % s->terms;
        double r = now->remaining[b * s->padded + t], p = now->products[b * s->padded + t];
        double after = now->left[b] - p * p / (r > s->remaining ? r : s->remaining);
        after = (after > floor ? after : floor) * exp(now->spent[b] / half) * priced[t];
        Choice one = {r <= s->remaining ? INFINITY : after, b, t, 0};
        one.key = key_of(s, now->chosen + b * s->levels, size - 1, t, sorted);
        for (int64_t j = 0; j < kept; j++)
            if (found[j].key == one.key) { /* the same set, as good: the first place stands for both */
                if (place < found[j].state * s->terms + found[j].term && isfinite(found[j].value)) {
                    found[j].state = b, found[j].term = t;
                }
                one.value = INFINITY;
                break;
            }
        int64_t at = kept++;
        for (; at > 0 && found[at - 1].value > one.value; at--) found[at] = found[at - 1];
        found[at] = one;
    }
    return kept < keep ? kept : keep;
}

/* Extend states by chosen terms. */
static void extend(const Search *s, const double *columns, const double *target,
                   const double *cost, const States *now, States *next, const Choice *choices,
                   int64_t count, int64_t size) {
    const int64_t p = s->points, padded = s->padded, levels = s->levels;
    next->count = count;
    for (int64_t b = 0; b < count; b++) {
        const int64_t from = choices[b].state, term = choices[b].term;
        double *basis = next->basis + b * levels * p, *v = basis + (size - 1) * p;
        double *residual = next->residual + b * p, *parts = next->parts + b * levels;
        memcpy(basis, now->basis + from * levels * p, sizeof(double) * (size_t)((size - 1) * p));
        memcpy(parts, now->parts + from * levels, sizeof(double) * (size_t)(size - 1));
        memcpy(next->chosen + b * levels, now->chosen + from * levels,
               sizeof(int64_t) * (size_t)(size - 1));
        next->chosen[b * levels + size - 1] = term;
        for (int64_t i = 0; i < p; i++) v[i] = columns[i * padded + term];
        for (int pass = 0; pass < 2; pass++) {
            double part[levels];
            for (int64_t j = 0; j < size - 1; j++) {
                part[j] = 0.0;
                for (int64_t i = 0; i < p; i++) part[j] += basis[j * p + i] * v[i];
            }
            for (int64_t j = 0; j < size - 1; j++)
                for (int64_t i = 0; i < p; i++) v[i] -= part[j] * basis[j * p + i];
        }
        double squares = 0.0, along = 0.0, left = 0.0, own = 0.0;
        for (int64_t i = 0; i < p; i++) squares += v[i] * v[i];
        double back = sqrt(squares);
        back = 1 / (back > s->tiny ? back : s->tiny);
        for (int64_t i = 0; i < p; i++) v[i] *= back;
        for (int64_t i = 0; i < p; i++) along += now->residual[from * p + i] * v[i];
        for (int64_t i = 0; i < p; i++) {
            residual[i] = now->residual[from * p + i] - along * v[i];
            left += residual[i] * residual[i];
            own += v[i] * target[i];
        }
        parts[size - 1] = own;
        next->left[b] = left;
        next->spent[b] = now->spent[from] + cost[term];
        for (int64_t t = 0; t < padded; t += 4 * LANES) {
            vec dot[4] = {all(0.0), all(0.0), all(0.0), all(0.0)};
            int64_t groups = (padded - t) / LANES;
            if (groups >= 4)
                for (int64_t i = 0; i < p; i++)
                    for (int g = 0; g < 4; g++)
                        dot[g] += v[i] * load(columns + i * padded + t + g * LANES);
            else
                for (int64_t i = 0; i < p; i++)
                    for (int64_t g = 0; g < groups; g++)
                        dot[g] += v[i] * load(columns + i * padded + t + g * LANES);
            for (int64_t g = 0; g < (groups < 4 ? groups : 4); g++) {
                const int64_t at = t + g * LANES;
                store(next->remaining + b * padded + at,
                      load(now->remaining + from * padded + at) - dot[g] * dot[g]);
                store(next->products + b * padded + at,
                      load(now->products + from * padded + at) - along * dot[g]);
            }
        }
    }
}

/* All levels: chosen (levels, K, B, levels) sorted, score, left (levels, K, B) and parts (levels,
 * K, B, levels), and how many states each level has (levels). Returns the number of levels, or -1
 * where memory is short. */
int64_t beam_search(const Search *search, int64_t *chosen, double *score, double *left,
                    double *parts, int64_t *counts) {
    const Search *s = search;
    const int64_t k = s->series, b_most = s->width, levels = s->levels;
    States probe;
    size_t each = room_of(s, &probe, (double *)64);
    double *room = malloc(sizeof(double) * each * (size_t)(k + 1));
    Choice *choices = malloc(sizeof(Choice) * (size_t)s->wide);
    States *states = malloc(sizeof(States) * (size_t)k);
    int64_t *keys = malloc(sizeof(int64_t) * (size_t)s->wide), size = 0;
    double *total = malloc(sizeof(double) * (size_t)k);
    if (!room || !choices || !states || !keys || !total) {
        size = -1;
        goto done;
    }
    States spare;
    room_of(s, &spare, room + each * (size_t)k);
    for (int64_t n = 0; n < k; n++) {
        const double *columns = s->columns + n * s->points * s->padded;
        const double *target = s->target + n * s->points;
        States *now = states + n;
        room_of(s, now, room + each * (size_t)n);
        now->count = 1, now->spent[0] = 0.0, total[n] = 0.0;
        for (int64_t i = 0; i < s->points; i++) total[n] += target[i] * target[i];
        memcpy(now->residual, target, sizeof(double) * (size_t)s->points);
        now->left[0] = total[n];
        for (int64_t t = 0; t < s->padded; t++) now->remaining[t] = t < s->terms, now->products[t] = 0;
        for (int64_t i = 0; i < s->points; i++)
            for (int64_t t = 0; t < s->padded; t += LANES)
                store(now->products + t,
                      load(now->products + t) + target[i] * load(columns + i * s->padded + t));
    }
    while (size < levels) {
        int over = 1;
        size++;
        for (int64_t n = 0; n < k; n++) {
            const double *cost = s->cost + n * s->terms;
            const double half = (double)(s->points - size) / 2;
            int64_t count = best(s, states + n, size, cost, total[n], choices, keys);
            extend(s, s->columns + n * s->points * s->padded, s->target + n * s->points, cost,
                   states + n, &spare, choices, count, size);
            States other = states[n];
            states[n] = spare, spare = other;
            counts[size - 1] = count;
            double least = INFINITY, top = -INFINITY, before = -INFINITY;
            for (int64_t b = 0; b < count; b++) {
                int64_t row = ((size - 1) * k + n) * b_most + b;
                score[row] = -half * log(choices[b].value);
                left[row] = states[n].left[b];
                key_of(s, states[n].chosen + b * levels, size - 1,
                       states[n].chosen[b * levels + size - 1], chosen + row * levels);
                memcpy(parts + row * levels, states[n].parts + b * levels,
                       sizeof(double) * (size_t)size);
                least = left[row] < least ? left[row] : least;
                top = score[row] > top ? score[row] : top;
            }
            if (size > 1)
                for (int64_t b = 0; b < counts[size - 2]; b++) {
                    double x = score[((size - 2) * k + n) * b_most + b];
                    before = x > before ? x : before;
                }
            int exact = least <= s->exact_stop * total[n];
            int worse = size > s->patience && top < before - s->worse;
            over &= exact || worse;
        }
        if (over) break;
    }
done:
    free(room), free(choices), free(states), free(keys), free(total);
    return size;
}
