/* The beam search over terms (see `search.beam_search`). */

#include "vectors.h"

typedef struct {
    int64_t series, terms, padded, points, length, width, levels, patience, wide, parameters;
    const int64_t *codes;         /* (K, T, m) factor numbers of the terms */
    const double *const *tables;  /* (T_q, P) the factors of each parameter */
    const double *weight;         /* (K, P) of the points, zero where one does not count */
    const double *target;         /* (K, P) */
    const double *cost;    /* (K, T), infinite where a term stands twice */
    double worse, exact, exact_stop, remaining, slack, tiny;
    int64_t mask; /* the bits of a value that its place takes */
} Beam;

/* The states of one series: so many, with k terms each. `basis` (B, levels, P'), residual (B, P'),
 * products (B, T') of the residual with the terms, remaining (B, T'), chosen (B, levels) in the
 * order of choice, parts (B, levels), spent and left (B). */
typedef struct {
    int64_t count;
    double *basis, *residual, *products, *remaining, *parts, *spent, *left;
    int64_t *chosen;
} States;

/* A further term of a state; is it one that adds something? */
typedef struct {
    int64_t possible, state, term, key;
} Choice;

static size_t room_of(const Beam *s, States *to, double *from) {
    double *at = from;
    const int64_t b = s->width;
    to->basis = at, at += b * s->levels * s->length;
    to->residual = at, at += b * s->length;
    to->products = at, at += b * s->padded;
    to->remaining = at, at += b * s->padded;
    to->parts = at, at += b * s->levels;
    to->spent = at, at += b;
    to->left = at, at += b;
    to->chosen = (int64_t *)at, at += b * s->levels;
    return (size_t)(at - from);
}

INLINE double dot_of(const double *a, const double *b, int64_t length) {
    vec total = all(0.0);
    for (int64_t i = 0; i < length; i += LANES) total += load(a + i) * load(b + i);
    return sum_of(total);
}

/* The terms of a set in ascending order, as one number. */
static int64_t key_of(const Beam *s, const int64_t *chosen, int64_t size, int64_t term,
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

/* The `keep` least of different keys to the front (Hoare, "Algorithm 65: find", 1961). */
static void least_first(int64_t *keys, int64_t count, int64_t keep) {
    int64_t low = 0, high = count - 1;
    while (low < high) {
        const int64_t middle = keys[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (keys[i] < middle) i++;
            while (keys[j] > middle) j--;
            if (i <= j) {
                const int64_t other = keys[i];
                keys[i++] = keys[j], keys[j--] = other;
            }
        }
        if (keep - 1 <= j) high = j;
        else if (keep - 1 >= i) low = i;
        else break;
    }
}

/* The best further terms of all states: at most `width` different sets, the best first. What is left
 * is a difference of sums, whose rounding is a share `slack` of the mean of what is left now and at
 * first, and the more the less of a term is outside of the state. */
static int64_t best(const Beam *s, const States *now, int64_t size, const double *cost,
                    double total, Choice *found, int64_t *keys) {
    const double half = (double)(s->points - size) / 2, floor = s->exact * total;
    const int64_t every = now->count * s->terms;
    const int64_t wide = every < s->wide ? every : s->wide;
    const int64_t keep = every < s->width ? every : s->width;
    const int64_t mask = s->mask;
    int64_t count = 0, kept = 0, sorted[s->levels];
    double limit = INFINITY, priced[s->padded], spending[s->width];
    for (int64_t t = 0; t < s->padded; t++) priced[t] = t < s->terms ? cost[t] / half : INFINITY;
    for (int64_t t = 0; t < s->padded; t += LANES) {
        vec price = load(priced + t);
        store(priced + t, choose(price < INFINITY, exp_of(price), price));
    }
    for (int64_t b = 0; b < now->count; b++) {
        const double *products = now->products + b * s->padded;
        const double *remaining = now->remaining + b * s->padded;
        const double left = now->left[b], spent = spending[b] = exp_one(now->spent[b] / half);
        const double least = s->slack * sqrt(left * total);
        for (int64_t start = 0; start < s->padded; start += LANES) {
            vec r = load(remaining + start), p = load(products + start);
            vec outside = larger(r, all(s->remaining)), back = 1.0 / outside;
            vec after = larger(left - p * p * back, least * back);
            after = larger(after, all(floor)) * spent * load(priced + start);
            after = choose(r <= s->remaining, all(INFINITY), after);
            uint64_t some = flags_of(after <= limit);
            for (; some; some &= some - 1) {
                const int64_t l = __builtin_ctzll(some) / 8;
                if (start + l >= s->terms) break;
                keys[count++] = (((ivec)after)[l] & ~mask) | (b * s->terms + start + l);
                if (count < 2 * wide) continue;
                least_first(keys, count, wide);
                count = wide;
                int64_t above = keys[0];
                for (int64_t i = 1; i < wide; i++) above = keys[i] > above ? keys[i] : above;
                above |= mask;
                memcpy(&limit, &above, sizeof above);
                limit = isnan(limit) ? INFINITY : limit;
            }
        }
    }
    if (count > wide) least_first(keys, count, wide), count = wide;
    for (int64_t i = 1; i < count; i++) { /* in order */
        const int64_t key = keys[i];
        int64_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
        keys[at] = key;
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t place = keys[i] & mask, b = place / s->terms, t = place % s->terms, same = 0;
        const int possible = now->remaining[b * s->padded + t] > s->remaining && isfinite(cost[t]);
        Choice one = {possible, b, t, 0};
        one.key = key_of(s, now->chosen + b * s->levels, size - 1, t, sorted);
        for (int64_t j = 0; j < kept && !same; j++)
            if (found[j].key == one.key) { /* the same set, as good: the first place stands for both */
                if (possible && place < found[j].state * s->terms + found[j].term)
                    found[j].state = b, found[j].term = t;
                same = 1;
            }
        if (!same) found[kept++] = one;
    }
    return kept < keep ? kept : keep;
}

/* A vector that was added to the basis of a state, and what the residual has of it. */
typedef struct {
    const double *v;
    double along;
    int64_t from;
} Extended;

enum { STATES = 4 };

/* Take what some terms have of the new vectors of some states out of what is left of them. The
 * columns of a term are read once for all of these states. */
INLINE void project(const double *columns, int64_t padded, int64_t p, int64_t groups,
                    int64_t states, const Extended *extended, const States *now, States *next,
                    int64_t t, int64_t b) {
    vec dot[STATES][GROUPS] = {{{0}}};
    for (int64_t i = 0; i < p; i++, columns += padded)
        for (int64_t g = 0; g < groups; g++) {
            vec x = load(columns + g * LANES);
            for (int64_t s = 0; s < states; s++) dot[s][g] += extended[s].v[i] * x;
        }
    for (int64_t s = 0; s < states; s++)
        for (int64_t g = 0; g < groups; g++) {
            const int64_t from = extended[s].from * padded + t + g * LANES;
            const int64_t to = (b + s) * padded + t + g * LANES;
            store(next->remaining + to, load(now->remaining + from) - dot[s][g] * dot[s][g]);
            store(next->products + to, load(now->products + from) - extended[s].along * dot[s][g]);
        }
}

/* Extend states by chosen terms: all but what is left of the terms, which `project_all` tells. */
static void extend(const Beam *s, const double *columns, const double *target,
                   const double *cost, const States *now, States *next, const Choice *choices,
                   int64_t count, int64_t size, Extended *extended) {
    const int64_t p = s->points, length = s->length, padded = s->padded, levels = s->levels;
    next->count = count;
    for (int64_t b = 0; b < count; b++) {
        const int64_t from = choices[b].state, term = choices[b].term;
        double *basis = next->basis + b * levels * length, *v = basis + (size - 1) * length;
        double *residual = next->residual + b * length, *parts = next->parts + b * levels;
        const double *before = now->residual + from * length;
        memcpy(basis, now->basis + from * levels * length,
               sizeof(double) * (size_t)((size - 1) * length));
        memcpy(parts, now->parts + from * levels, sizeof(double) * (size_t)(size - 1));
        memcpy(next->chosen + b * levels, now->chosen + from * levels,
               sizeof(int64_t) * (size_t)(size - 1));
        next->chosen[b * levels + size - 1] = term;
        for (int64_t i = 0; i < p; i++) v[i] = columns[i * padded + term];
        for (int64_t i = p; i < length; i++) v[i] = 0.0;
        for (int pass = 0; pass < 2; pass++) {
            double part[levels];
            for (int64_t j = 0; j < size - 1; j++) part[j] = dot_of(basis + j * length, v, length);
            for (int64_t j = 0; j < size - 1; j++)
                for (int64_t i = 0; i < length; i += LANES)
                    store(v + i, load(v + i) - part[j] * load(basis + j * length + i));
        }
        double back = sqrt(dot_of(v, v, length));
        back = 1 / (back > s->tiny ? back : s->tiny);
        for (int64_t i = 0; i < length; i += LANES) store(v + i, load(v + i) * back);
        double along = dot_of(before, v, length), own = dot_of(v, target, length);
        for (int64_t i = 0; i < length; i += LANES)
            store(residual + i, load(before + i) - along * load(v + i));
        double left = dot_of(residual, residual, length);
        parts[size - 1] = own;
        next->left[b] = left;
        next->spent[b] = now->spent[from] + cost[term];
        extended[b] = (Extended){v, along, from};
    }
}

static void project_all(const Beam *s, const double *columns, const States *now, States *next,
                        const Extended *extended) {
    const int64_t p = s->points, padded = s->padded, count = next->count;
    for (int64_t t = 0; t < padded; t += GROUPS * LANES) {
        const int64_t groups = (padded - t) / LANES < GROUPS ? (padded - t) / LANES : GROUPS;
        int64_t b = 0;
        if (groups == GROUPS)
            for (; b + STATES <= count; b += STATES)
                project(columns + t, padded, p, GROUPS, STATES, extended + b, now, next, t, b);
        for (; b < count; b++)
            project(columns + t, padded, p, groups, 1, extended + b, now, next, t, b);
    }
}

/* Columns (P, T') of norm one, padded with zeros, of the terms of one series with codes (T, m), at
 * so many points with these numbers and weights (P); values (LANES, P) is room. */
static void columns_of(const Beam *s, const int64_t *codes, int64_t points,
                       const int64_t *numbers, const double *weight, double *values,
                       double *columns) {
    const int64_t m = s->parameters, whole = points - points % LANES;
    const int every = points == s->points;
    for (int64_t t = 0; t < s->padded; t += LANES) {
        for (int64_t l = 0; l < LANES; l++) {
            double *own = values + l * points;
            if (t + l >= s->terms) {
                memset(own, 0, sizeof(double) * (size_t)points);
                continue;
            }
            const double *factors[m];
            int64_t used = 0;
            for (int64_t q = 0; q < m; q++) { /* the factor 1 is number 0 */
                const int64_t code = codes[(t + l) * m + q];
                if (code) factors[used++] = s->tables[q] + code * s->points;
            }
            vec squares = all(0.0);
            for (int64_t i = 0; i < whole && every; i += LANES) {
                vec x = load(weight + i);
                for (int64_t q = 0; q < used; q++) x *= load(factors[q] + i);
                store(own + i, x), squares += x * x;
            }
            double square = sum_of(squares);
            for (int64_t i = every ? whole : 0; i < points; i++) {
                double x = weight[i];
                for (int64_t q = 0; q < used; q++) x *= factors[q][numbers[i]];
                own[i] = x, square += x * x;
            }
            const double back = 1 / sqrt(square > s->tiny ? square : s->tiny);
            for (int64_t i = 0; i < points; i++) own[i] *= back;
        }
        for (int64_t i = 0; i < points; i++)
            for (int64_t l = 0; l < LANES; l++)
                columns[i * s->padded + t + l] = values[l * points + i];
    }
}

/* What the beam found, (levels, K, B) states: chosen (.., levels) sorted, score, left, and parts
 * (.., levels); how many states each level has (levels). */
typedef struct {
    int64_t *chosen, *counts;
    double *score, *left, *parts;
} Found;

/* The beam of the n-th series with this target (P'), padded with zeros to full vectors, P' = length,
 * until the data are explained or further terms explain nothing; returns the number of its levels. */
static int64_t one_beam(const Beam *s, int64_t n, const double *target, const double *columns,
                        States *now, States *next, Choice *choices, int64_t *keys,
                        const Found *found) {
    const double *cost = s->cost + n * s->terms;
    const double total = dot_of(target, target, s->length);
    const int64_t levels = s->levels, most = levels < s->points - 1 ? levels : s->points - 1;
    Extended extended[s->width];
    now->count = 1, now->spent[0] = 0.0, now->left[0] = total;
    memcpy(now->residual, target, sizeof(double) * (size_t)s->length);
    for (int64_t t = 0; t < s->padded; t++) now->remaining[t] = t < s->terms, now->products[t] = 0;
    for (int64_t i = 0; i < s->points; i++)
        for (int64_t t = 0; t < s->padded; t += LANES)
            store(now->products + t,
                  load(now->products + t) + target[i] * load(columns + i * s->padded + t));
    double before = -INFINITY;
    for (int64_t size = 1;; size++) {
        const double half = (double)(s->points - size) / 2;
        const int64_t count = best(s, now, size, cost, total, choices, keys);
        extend(s, columns, target, cost, now, next, choices, count, size, extended);
        if (count > found->counts[size - 1]) found->counts[size - 1] = count;
        double least = INFINITY, top = -INFINITY;
        for (int64_t b = 0; b < count; b++) {
            const int64_t row = ((size - 1) * s->series + n) * s->width + b;
            const double left = next->left[b], floor = s->exact * total;
            double score = -half * log_one(left > floor ? left : floor) - next->spent[b];
            if (!choices[b].possible) score = -INFINITY;
            found->score[row] = score, found->left[row] = next->left[b];
            key_of(s, next->chosen + b * levels, size - 1, next->chosen[b * levels + size - 1],
                   found->chosen + row * levels);
            memcpy(found->parts + row * levels, next->parts + b * levels,
                   sizeof(double) * (size_t)size);
            least = next->left[b] < least ? next->left[b] : least;
            top = score > top ? score : top;
        }
        const int worse = size > s->patience && top < before - s->worse;
        if (size == most || worse || least <= s->exact_stop * total) return size;
        before = top;
        project_all(s, columns, now, next, extended);
        const States other = *now;
        *now = *next, *next = other;
    }
}

/* All series, one after the other, so that their columns stay in the cache; what is not reached of
 * `found` stays as it is. Returns the most levels of any, or SHORT. */
int beam_search(const Beam *search, int64_t *chosen, double *score, double *left,
                    double *parts, int64_t *counts) {
    const Beam *s = search;
    const Found found = {chosen, counts, score, left, parts};
    States now, next;
    const size_t each = room_of(s, &now, (double *)64);
    double *room = malloc(sizeof(double) * 2 * each);
    double *columns = malloc(sizeof(double) * (size_t)(s->points * s->padded));
    double *values = malloc(sizeof(double) * (size_t)((LANES + 1) * s->points + s->length));
    int64_t *numbers = malloc(sizeof(int64_t) * (size_t)s->points);
    Choice *choices = malloc(sizeof(Choice) * (size_t)s->wide);
    int64_t *keys = malloc(sizeof(int64_t) * 2 * (size_t)s->wide), most = SHORT;
    if (room && columns && values && numbers && choices && keys) {
        double *weight = values + LANES * s->points, *target = weight + s->points;
        most = 0;
        for (int64_t n = 0; n < s->series; n++) {
            Beam own = *s;
            own.points = 0;
            for (int64_t i = 0; i < s->points; i++) {
                const double w = s->weight[n * s->points + i];
                if (w == 0) continue;
                numbers[own.points] = i, weight[own.points] = w;
                target[own.points++] = s->target[n * s->points + i];
            }
            own.length = (own.points + LANES - 1) / LANES * LANES;
            for (int64_t i = own.points; i < own.length; i++) target[i] = 0.0;
            if (own.points < 2) continue;
            room_of(&own, &now, room), room_of(&own, &next, room + each);
            columns_of(s, s->codes + n * s->terms * s->parameters, own.points, numbers, weight,
                       values, columns);
            const int64_t levels = one_beam(&own, n, target, columns, &now, &next, choices, keys,
                                            &found);
            most = levels > most ? levels : most;
        }
    }
    free(room), free(columns), free(values), free(numbers), free(choices), free(keys);
    return (int)most;
}

/* What states of k terms are weighed with: see `hypothesis_prior` and `_evidence` in
 * search/multi_parameter.py. */
typedef struct {
    int64_t series, terms, parameters, states, size, levels, numbers;
    const int64_t *codes;           /* (K, T, m) */
    const double *const *costs;     /* (T_q) of each parameter */
    const double *const *together;  /* (T_q): -1 of those that fall, else the cost beside them */
    const int64_t *distinguishable; /* (K, m) */
    const double *points;           /* (K): how many count */
    const double *several;          /* (numbers): log prior of so many terms */
    const double *constants;        /* (K, S') of the noise levels, -inf where padded */
    const double *slopes;           /* (S') */
    double disguised, interaction, subset, residual, log_width;
} Weighing;

static double prior_of(const Weighing *w, const int64_t *rows, const int64_t *distinguishable) {
    double cost = 0.0;
    int64_t number = 0;
    for (int64_t q = 0; q < w->parameters; q++) {
        int64_t different = 0, falls = 0;
        double beside = 0.0;
        for (int64_t i = 0; i < w->size; i++) {
            const int64_t own = rows[i * w->parameters + q];
            int64_t first = 1;
            for (int64_t j = 0; j < i; j++) first &= rows[j * w->parameters + q] != own;
            if (!first) continue;
            cost += w->costs[q][own];
            falls |= w->together[q][own] < 0;
            beside = w->together[q][own] > beside ? w->together[q][own] : beside;
            different += own > 0;
        }
        if (falls) cost += beside;
        if (different > distinguishable[q]) cost += w->disguised;
    }
    for (int64_t i = 0; i < w->size; i++) {
        int64_t involved = 0;
        for (int64_t q = 0; q < w->parameters; q++) involved += rows[i * w->parameters + q] > 0;
        if (involved > 1) cost += w->interaction * (double)(involved - 1);
        number += involved > 0;
    }
    cost += (double)number * w->subset;
    return w->several[number < w->numbers ? number : w->numbers - 1] - cost;
}

/* Codes (K, B, k, m), log prior and roughly the log evidence (K, B) of states chosen (K, B, k) with
 * these scores, what they leave (K, B) and parts (K, B, k). */
int weigh_states(const Weighing *weighing, const int64_t *chosen, const double *score,
                 const double *left, const double *parts, int64_t *codes, double *prior,
                 double *evidence) {
    const Weighing *w = weighing;
    const int64_t m = w->parameters, padded = (w->levels + LANES - 1) / LANES * LANES;
    for (int64_t k = 0; k < w->series; k++) {
        const double left_over = w->points[k] - (double)w->size;
        const double freedom = left_over > 1 ? left_over : 1, least = w->points[k] * w->residual;
        for (int64_t b = 0; b < w->states; b++) {
            const int64_t at = k * w->states + b;
            int64_t *rows = codes + at * w->size * m;
            for (int64_t i = 0; i < w->size; i++)
                memcpy(rows + i * m, w->codes + (k * w->terms + chosen[at * w->size + i]) * m,
                       sizeof(int64_t) * (size_t)m);
            prior[at] = evidence[at] = -INFINITY;
            if (!isfinite(score[at])) continue;
            prior[at] = prior_of(w, rows, w->distinguishable + k * m);
            const double rss = left[at] > least ? left[at] : least;
            double sizes = 0.0;
            for (int64_t i = 0; i < w->size; i++) {
                double part = parts[at * w->size + i];
                sizes += 0.5 * log_one(part * part + rss / freedom);
            }
            vec top = all(-INFINITY), total = all(0.0);
            const double *constants = w->constants + k * padded;
            for (int64_t s = 0; s < padded; s += LANES)
                top = larger(top, load(constants + s) + rss * load(w->slopes + s));
            const double most = most_of(top);
            if (!isfinite(most)) continue;
            for (int64_t s = 0; s < padded; s += LANES)
                total += exp_of(load(constants + s) + rss * load(w->slopes + s) - most);
            evidence[at] = most + log_one(sum_of(total)) - sizes + prior[at] -
                           (double)w->size * w->log_width;
        }
    }
    return 0;
}
