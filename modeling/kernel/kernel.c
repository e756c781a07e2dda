/* The hot pass of the fitter (see library.py). Arrays are contiguous doubles and 64-bit integers, the
 * last index running fastest; shapes are given as in the docstrings of Python. Nothing here keeps
 * state or knows of Python. Tests hold functions to what numpy computes. */

#include "block.h"
#include "least.h"

/* `fit_rows`: columns (k, P, N), y, magnitude, deviation (P, N), volume (N). */
int fit_rows(int64_t n, int64_t k, int64_t p, const double *columns, const double *y,
             const double *magnitude, const double *deviation, const double *volume,
             const Rules *rules, double *base, double *rss, double *coefficients, double *root,
             double *residual) {
    vec small[k * k + k + 3], v = all(0.0), points = all(0.0);
    Block b;
    double *room = reserve(&b, small, k, p);
    if (!room) return SHORT;
    for (int64_t start = 0; start < n; start += LANES) {
        int64_t count = n - start < LANES ? n - start : LANES;
        for (int64_t l = 0; l < LANES; l++) {
            int64_t at = start + (l < count ? l : 0);
            for (int64_t i = 0; i < k * p; i++) b.columns[i * LANES + l] = columns[i * n + at];
            for (int64_t i = 0; i < p; i++) {
                b.y[i * LANES + l] = y[i * n + at];
                b.magnitude[i * LANES + l] = magnitude[i * n + at];
                b.deviation[i * LANES + l] = deviation[i * n + at];
            }
            v[l] = volume[at], points[l] = 0.0;
            for (int64_t i = 0; i < p; i++) points[l] += isfinite(deviation[i * n + at]) != 0;
        }
        fit_block(&b, rules, 0, v, points);
        for (int64_t l = 0; l < count; l++) {
            int64_t at = start + l;
            base[at] = (*b.base)[l], rss[at] = (*b.rss)[l];
            for (int64_t i = 0; i < k; i++) coefficients[i * n + at] = b.coefficients[i][l];
            for (int64_t i = 0; i < k * k; i++) root[i * n + at] = b.root[i][l];
            for (int64_t i = 0; i < p; i++) residual[i * n + at] = b.value[i * LANES + l];
        }
    }
    free(room);
    return 0;
}

/* The weighted columns of eight hypotheses with factor numbers rows (H, k), the first one standing
 * for those that there are not. */
static void block_of(const Block *b, const int64_t *rows, const double *columns,
                     const double *weight, int64_t start, int64_t count) {
    for (int64_t l = 0; l < LANES; l++) {
        const int64_t *row = rows + (start + l < count ? start + l : start) * b->k;
        for (int64_t j = 0; j < b->k; j++)
            for (int64_t i = 0; i < b->p; i++)
                b->work[(j * b->p + i) * LANES + l] = columns[row[j] * b->p + i] * weight[i];
    }
}

/* Where `weigh` and `line_forms` write what they make of H hypotheses, padded to full vectors. */
typedef struct {
    int64_t count, padded;
    double *basis, *records, *forms;
} Made;

/* Hypotheses with factor numbers rows (H, k) of columns (T, P), factored for points of this weight
 * (P), eight at a time: `each` is given the block, the log volumes and the number of the first. */
INLINE int factor_all(const Made *made, int64_t k, int64_t p, const int64_t *rows,
                      const double *columns, const double *weight, const Rules *rules,
                      void (*each)(const Made *, const Block *, vec, int64_t)) {
    vec small[k * k + k + 3], upper[k * k];
    Block b;
    double *room = reserve(&b, small, k, p);
    if (!room) return SHORT;
    for (int64_t start = 0; start < made->count; start += LANES) {
        block_of(&b, rows, columns, weight, start, made->count);
        each(made, &b, factored(&b, rules, upper), start);
    }
    free(room);
    return 0;
}

static inline void weighed(const Made *made, const Block *b, vec volume, int64_t start) {
    const int64_t k = b->k, p = b->p, width = k * p + k * k + k + 1;
    for (int64_t l = 0; l < LANES && start + l < made->count; l++) {
        double *record = made->records + (start + l) * width;
        for (int64_t i = 0; i < k * p; i++)
            made->basis[i * made->padded + start + l] = record[i] = b->work[i * LANES + l];
        for (int64_t i = 0; i < k * k; i++) record[k * p + i] = b->root[i][l];
        for (int64_t i = 0; i < k; i++) {
            double size = 0.0;
            for (int64_t j = i; j < k; j++) size += b->root[i * k + j][l] * b->root[i * k + j][l];
            record[k * p + k * k + i] = sqrt(size / (double)(p - k > 1 ? p - k : 1));
        }
        record[width - 1] = volume[l];
    }
}

static inline void formed(const Made *made, const Block *b, vec volume, int64_t start) {
    const int64_t k = b->k, p = b->p;
    double *form = made->forms ? made->forms + start : NULL;
    (void)volume;
    for (int64_t l = 0; l < LANES && start + l < made->count; l++)
        for (int64_t i = 0; i < k * p; i++)
            made->records[(start + l) * k * p + i] = b->work[i * LANES + l];
    for (int64_t i = 0; i < p && made->forms; i++)
        for (int64_t j = i; j < p; j++, form += made->padded) {
            vec both = all(0.0);
            for (int64_t q = 0; q < k; q++)
                both += load(b->work + (q * p + i) * LANES) * load(b->work + (q * p + j) * LANES);
            store(form, i == j ? 1.0 - both : -2.0 * both);
        }
}

/* The basis (k, P, H'), padded, and records (H, k P + k k + k + 1) of all hypotheses: see
 * `Weighted`. */
int weigh(int64_t count, int64_t padded, int64_t k, int64_t p, const int64_t *rows,
          const double *columns, const double *weight, const Rules *rules, double *basis,
          double *records) {
    const Made made = {count, padded, basis, records, NULL};
    return factor_all(&made, k, p, rows, columns, weight, rules, weighed);
}

/* Quadratic forms (P (P + 1) / 2, H') of their residual sums of squares z'(I - Q'Q) z, if they are
 * asked for, and their bases Q (H, k, P). */
int line_forms(int64_t count, int64_t padded, int64_t k, int64_t p, const int64_t *rows,
               const double *columns, const double *weight, const Rules *rules, double *forms,
               double *bases) {
    const Made made = {count, padded, NULL, bases, forms};
    return factor_all(&made, k, p, rows, columns, weight, rules, formed);
}

/* `evidence_by_kind`: log evidence (Q, K, S, V) of noise levels, summed over candidates (K, n, V) of
 * one size with base and rss, of Q kinds (K, n), from constants (K, S) of the levels and slopes (S);
 * added to what `found` holds. */
int sum_levels(int64_t series, int64_t n, int64_t profiles, int64_t levels, int64_t kinds,
               const int64_t *kind, const double *base, const double *rss, const double *constants,
               const double *slopes, double *found) {
    const int64_t padded = (levels + LANES - 1) / LANES * LANES;
    double slope[padded];
    int64_t own[n];
    for (int64_t s = 0; s < padded; s++) slope[s] = s < levels ? slopes[s] : 0.0;
    for (int64_t q = 0; q < kinds; q++)
        for (int64_t k = 0; k < series; k++) {
            int64_t count = 0;
            for (int64_t i = 0; i < n; i++)
                if (kind[k * n + i] == q) own[count++] = (k * n + i) * profiles;
            for (int64_t v = 0; count && v < profiles; v++)
                for (int64_t s = 0; s < padded; s += LANES) {
                    vec top = all(-INFINITY), total = all(0.0);
                    for (int64_t i = 0; i < count; i++)
                        top = larger(top, base[own[i] + v] + load(slope + s) * rss[own[i] + v]);
                    ivec some = top > -INFINITY;
                    for (int64_t i = 0; i < count; i++) {
                        vec each = base[own[i] + v] + load(slope + s) * rss[own[i] + v] - top;
                        total += (vec)((ivec)exp_of(each) & some);
                    }
                    vec here = top + log_of(larger(total, all(1e-300)));
                    double *of = found + (q * series + k) * levels * profiles + v;
                    for (int64_t l = 0; l < LANES && s + l < levels; l++) {
                        double *to = of + (s + l) * profiles;
                        const double one = here[l] + constants[k * levels + s + l];
                        if (!some[l]) continue;
                        double high = *to > one ? *to : one, low = *to > one ? one : *to;
                        *to = high + log_one(1.0 + exp_one(low - high));
                    }
                }
        }
    return 0;
}

/* The hypotheses of one size, factored for one weighting of the points: basis (k, P, H) and scale
 * (H), padded to full vectors of H; records (H, k P + k k + k + 1), the basis, root, widths and log
 * volume of each; and the weight (P). */
typedef struct {
    const double *basis, *scale, *records, *weight;
} Weighted; /* scales of hypotheses without probability are infinite */

typedef struct {
    int64_t series, points, size, hypotheses, padded, keep, profiles, levels;
    const double *y, *precision, *prior, *constants, *slopes;
    const int64_t *label, *order; /* (K) labels, and the series by label */
    const Weighted *weighted;
    double error, negative, log_width, tiny, difference, slack, strength;
    int64_t mask; /* the bits of an error that its place takes */
} Ranking;

enum { TOGETHER = 4, DEPTH = 3 };

/* The values v of a series under one weighting, whose error under a hypothesis is computed again. */
typedef struct {
    const Ranking *ranking;
    const Weighted *weighted;
    const double *v;
} Own;

static double own_error(const void *of, int64_t h) {
    const Own *own = of;
    const Ranking *r = own->ranking;
    const double scale = own->weighted->scale[h];
    const int64_t width = r->size * r->points + r->size * r->size + r->size + 1;
    double total = left_of(own->weighted->records + h * width, r->size, r->points, own->v);
    return (total > r->error ? total : r->error) * scale;
}

/* Scaled errors (TOGETHER, H') of some series with weighted values v (TOGETHER, P) and their
 * squares, and the `depth` least ones of each lane. */
INLINE void scaled_errors(const Ranking *r, const Weighted *w, int64_t together, int64_t size,
                          int64_t points, int64_t depth, const double *v, const double *total,
                          double *errors, vec (*lanes)[DEPTH]) {
    const int64_t padded = r->padded;
    for (int64_t s = 0; s < together; s++)
        for (int64_t d = 0; d < depth; d++) lanes[s][d] = all(INFINITY);
    for (int64_t start = 0; start < padded; start += LANES) {
        vec left[TOGETHER];
        for (int64_t s = 0; s < together; s++) left[s] = all(total[s]);
        for (int64_t i = 0; i < size; i++) {
            const double *q = w->basis + i * points * padded + start;
            vec dot[TOGETHER];
            for (int64_t s = 0; s < together; s++) dot[s] = all(0.0);
            for (int64_t t = 0; t < points; t++) {
                vec x = load(q + t * padded);
                for (int64_t s = 0; s < together; s++) dot[s] += v[s * points + t] * x;
            }
            for (int64_t s = 0; s < together; s++) left[s] -= dot[s] * dot[s];
        }
        vec scale = load(w->scale + start), floor = r->error * scale;
        for (int64_t s = 0; s < together; s++) {
            const vec found = larger(left[s] * scale, floor);
            store(errors + s * padded + start, found);
            among_least(found, lanes[s], depth);
        }
    }
}

/* The same with numbers that are known when this is compiled, where they are usual. */
static void errors_of(const Ranking *r, const Weighted *w, int64_t together, int64_t depth,
                      const double *v, const double *total, double *errors, vec (*lanes)[DEPTH]) {
    const int64_t k = r->size, p = r->points;
#define OF(many, size, points, deep) \
    scaled_errors(r, w, many, size, points, deep, v, total, errors, lanes)
#define USUAL(size) \
    if (depth == 2 && k == size) { \
        if (p == 5) OF(TOGETHER, size, 5, 2); \
        else if (p == 6) OF(TOGETHER, size, 6, 2); \
        else if (p == 7) OF(TOGETHER, size, 7, 2); \
        else OF(TOGETHER, size, p, 2); \
        return; \
    }
    if (together < TOGETHER) {
        OF(1, k, p, depth);
        return;
    }
    USUAL(1)
    USUAL(2)
    USUAL(3)
    OF(TOGETHER, k, p, depth);
#undef USUAL
#undef OF
}

/* The log evidence of eight hypotheses by their records, of series with these weighted values,
 * errors, log prior, precision and constants of the levels: one lane each. */
INLINE vec evidence_of(const Ranking *r, const double *const *records, const double *const *v,
                       vec left, vec prior, vec precision, const double *const *constants) {
    const int64_t k = r->size, p = r->points;
    vec parts[k], signs = all(1.0);
    Product sizes = ONE;
    for (int64_t i = 0; i < k; i++) {
        parts[i] = all(0.0);
        for (int64_t t = 0; t < p; t++) parts[i] += lanes_of(records, i * p + t) * lanes_of(v, t);
    }
    vec deviation = root_of(left);
    for (int64_t i = 0; i < k; i++) {
        vec c = all(0.0);
        for (int64_t j = i; j < k; j++) c += lanes_of(records, k * p + i * k + j) * parts[j];
        vec noise = lanes_of(records, k * p + k * k + i) * deviation + r->tiny;
        vec positive = signs_of(c / noise, r->strength);
        signs *= (1 - r->negative) * positive + r->negative * (1.0 - positive);
        times(&sizes, larger(c * c + noise * noise, all(r->tiny)));
    }
    vec volume = lanes_of(records, k * p + k * k + k);
    vec base = log_of(signs) - (double)k * r->log_width - 0.5 * log_of_product(sizes) - volume + prior;
    return over_levels(base, left * precision, constants, r->slopes, r->levels);
}

/* Number (K, V keep) and log evidence of the best hypotheses of one size of each series. */
int rank(const Ranking *ranking, int64_t *number, double *evidence) {
    const Ranking r = *ranking;
    int64_t kept[TOGETHER * r.keep];
    double least[TOGETHER * r.keep];
    const int64_t width = r.size * r.points + r.size * r.size + r.size + 1;
    const int64_t depth = r.keep / LANES < DEPTH ? r.keep / LANES + 1 : 0;
    vec lanes[TOGETHER][DEPTH];
    double v[TOGETHER * r.points];
    double *errors = malloc(sizeof(double) * (size_t)(TOGETHER * r.padded));
    if (!errors) return SHORT;
    for (int64_t start = 0, together; start < r.series; start += together) {
        const int64_t *rows = r.order + start, label = r.label[rows[0]];
        for (together = 1; together < TOGETHER && start + together < r.series; together++)
            if (r.label[rows[together]] != label) break;
        for (int64_t profile = 0; profile < r.profiles; profile++) {
            const Weighted *w = r.weighted + label * r.profiles + profile;
            double total[TOGETHER];
            for (int64_t s = 0; s < together; s++) {
                double squares = 0.0, *own = v + s * r.points;
                for (int64_t t = 0; t < r.points; t++) {
                    own[t] = r.y[rows[s] * r.points + t] * w->weight[t];
                    squares += own[t] * own[t];
                }
                squares /= (double)r.points;
                double back = 1 / sqrt(squares > r.tiny ? squares : r.tiny);
                total[s] = 0.0;
                for (int64_t t = 0; t < r.points; t++) own[t] *= back, total[s] += own[t] * own[t];
            }
            const int64_t at_once = together == TOGETHER ? TOGETHER : 1;
            for (int64_t s = 0; s < together; s += at_once)
                errors_of(&r, w, at_once, depth, v + s * r.points, total + s,
                          errors + s * r.padded, lanes + s);
            for (int64_t s = 0; s < together; s++) {
                const Own own = {ranking, w, v + s * r.points};
                const Again again = {own_error, &own, w->scale, r.difference, r.slack};
                int64_t *to = kept + s * r.keep;
                const double *of = errors + s * r.padded;
                if (depth)
                    least_beside(of, r.hypotheses, r.keep, r.mask, depth, lanes[s], &again, to,
                                 least + s * r.keep);
                else least_of(of, r.hypotheses, r.keep, r.mask, &again, to, least + s * r.keep);
            }
            const int64_t every = together * r.keep;
            int64_t s = 0, a = 0; /* the next series, and which of its hypotheses */
            for (int64_t first = 0; first < every; first += LANES) {
                const double *records[LANES], *values[LANES], *constants[LANES];
                vec error, scale, prior, precision;
                int64_t to[LANES];
                for (int64_t l = 0; l < LANES; l++) {
                    const int64_t own = s < together ? s : 0, place = s < together ? a : 0;
                    const int64_t item = own * r.keep + place;
                    const int64_t h = kept[item] & r.mask, row = rows[own] * r.profiles + profile;
                    records[l] = w->records + h * width, values[l] = v + own * r.points;
                    constants[l] = r.constants + row * r.levels;
                    error[l] = least[item], scale[l] = w->scale[h];
                    prior[l] = r.prior[h], precision[l] = r.precision[row];
                    to[l] = row * r.keep + place, number[to[l]] = h;
                    if (++a == r.keep) a = 0, s++;
                }
                const vec left = choose(scale < INFINITY, error / scale, all(1.0));
                vec found = evidence_of(&r, records, values, left, prior, precision, constants);
                for (int l = 0; l < LANES; l++) evidence[to[l]] = found[l];
            }
        }
    }
    free(errors);
    return 0;
}

/* `normal_distribution`: of n numbers. */
int normal_distribution(int64_t n, const double *x, double *found) {
    for (int64_t start = 0; start < n; start += LANES) {
        const size_t size = sizeof(double) * (size_t)(n - start < LANES ? n - start : LANES);
        vec own = all(0.0);
        memcpy(&own, x + start, size);
        own = normals(smaller(larger(own, all(-39.0)), all(39.0)));
        memcpy(found + start, &own, size);
    }
    return 0;
}

/* The bound of `_worth_a_look`: best (S, K) of two laws of one coefficient each, logs (H, P) their
 * logarithms, y (K, P) those of the values, for every last regime from two points on. */
int two_laws(int64_t series, int64_t points, int64_t laws, int64_t levels, const double *y,
             const double *logs, const double *prior, const double *scale, double log_width,
             double *best) {
    int64_t padded = (laws + LANES - 1) / LANES * LANES;
    double *room = calloc((size_t)(padded * (3 * points + 1)), sizeof(double));
    if (!room) return SHORT;
    double *below = room, *above = below + padded * points, *law = above + padded * points;
    double *own = law + padded * points;
    for (int64_t h = 0; h < padded; h++) own[h] = h < laws ? prior[h] : -INFINITY;
    for (int64_t i = 0; i < points; i++)
        for (int64_t h = 0; h < laws; h++) law[i * padded + h] = logs[h * points + i];
    for (int64_t s = 0; s < series; s++) {
        for (int64_t h = 0; h < padded; h += LANES) {
            vec mean = all(0.0), sum = all(0.0), squares = all(0.0), apart[points];
            for (int64_t i = 0; i < points; i++)
                mean += apart[i] = y[s * points + i] - load(law + i * padded + h);
            mean /= (double)points;
            for (int64_t i = 0; i < points; i++) {
                vec x = apart[i] -= mean;
                sum += x, squares += x * x;
                vec found = squares - sum * sum / (double)(i + 1);
                store(below + i * padded + h, larger(found, all(0.0)));
            }
            sum = squares = all(0.0);
            for (int64_t i = points - 1; i >= 0; i--) {
                sum += apart[i], squares += apart[i] * apart[i];
                vec found = squares - sum * sum / (double)(points - i);
                store(above + i * padded + h, larger(found, all(0.0)));
            }
        }
        for (int64_t level = 0; level < levels; level++) {
            double most = -INFINITY;
            for (int64_t place = 2; place < points; place++) {
                vec left = all(-INFINITY), right = all(-INFINITY);
                for (int64_t h = 0; h < padded; h += LANES) {
                    vec o = load(own + h);
                    left = larger(left, load(below + (place - 1) * padded + h) * scale[level] + o);
                    right = larger(right, load(above + place * padded + h) * scale[level] + o);
                }
                double occam = -2 * log_width -
                               0.5 * log_one((double)(place * (points - place)));
                double found = most_of(left) + most_of(right) + occam;
                most = found > most ? found : most;
            }
            best[level * series + s] = most;
        }
    }
    free(room);
    return 0;
}
