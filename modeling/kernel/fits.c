/* Exact fits of candidates: see `search/candidate_fits.py`. */

#include "candidates.h"

/* Where a fit stands: its number in (K, n, V), and those of its hypothesis and of its series. */
typedef struct {
    int64_t number, hypothesis, series;
} Place;

/* The products of factors in row i of tables, for eight terms of m factors each. */
INLINE vec terms_of(const double *const (*from)[LANES], int64_t m, int64_t i) {
    vec value = lanes_of(from[0], i);
    for (int64_t q = 1; q < m; q++) value *= lanes_of(from[q], i);
    return value;
}

/* The points that any of some series has, how many there are, and the place of the largest one among
 * them, -1 where none has it. */
static int64_t points_of(const Shared *c, int64_t first, int64_t last, int64_t *used, int64_t *top) {
    int64_t found = 0;
    *top = -1;
    for (int64_t i = 0; i < c->points; i++) {
        int some = c->complete != 0;
        for (int64_t s = first; !some && s <= last; s++)
            some = isfinite(c->deviation[s * c->profiles * c->points + i]) != 0;
        if (i == c->top && some) *top = found;
        if (some) used[found++] = i;
    }
    return found;
}

/* Candidates (K, n, k, m) fitted at these places; results to the same places of base, rss,
 * log_weight, coefficients (.., k), root (.., k, k) and far values (.., F). `per_level` (K, V, S)
 * must hold -freedom/2 log(2 pi s**2) already. */
static int fit_places(int64_t count, const Place *places, int64_t k, const int64_t *codes,
                      const double *prior, const Shared *shared, const Rules *rules, double *base,
                      double *rss, double *log_weight, double *coefficients, double *root,
                      double *beyond) {
    const Shared c = *shared;
    const int64_t points = c.points, v_count = c.profiles, m = c.parameters;
    const double *tables[k * m][LANES], *far[k * m][LANES];
    vec small[k * k + k + 3], volume, finite, own_prior, least;
    int64_t used_points[points];
    Block b;
    double *room = reserve(&b, small, k, points);
    if (!room) return SHORT;
    for (int64_t start = 0; start < count; start += LANES) {
        const int64_t used = count - start < LANES ? count - start : LANES;
        const double *y[LANES], *magnitude[LANES], *deviation[LANES], *constants[LANES];
        int64_t top, to[LANES];
        ivec as_outlier, nonnegative;
        for (int64_t l = 0; l < LANES; l++) {
            const Place *at = places + start + (l < used ? l : 0);
            const int64_t series = at->series, profile = at->number - at->hypothesis * v_count;
            const int64_t row = series * v_count + profile, *code = codes + at->hypothesis * k * m;
            for (int64_t j = 0; j < k; j++)
                for (int64_t q = 0; q < m; q++, code++) {
                    tables[j * m + q][l] = c.tables[q] + *code * points;
                    far[j * m + q][l] = c.far[q] + *code * c.beyond;
                }
            to[l] = at->number;
            y[l] = c.y + series * points, magnitude[l] = c.magnitude + series * points;
            deviation[l] = c.deviation + row * points, constants[l] = c.constants + row * c.levels;
            volume[l] = c.volume[row], finite[l] = c.counts[series];
            own_prior[l] = prior[at->hypothesis], least[l] = c.least[series];
            as_outlier[l] = profile == c.outlier ? -1 : 0;
            nonnegative[l] = c.nonnegative[series] ? -1 : 0;
        }
        const int64_t p = points_of(&c, places[start].series, places[start + used - 1].series,
                                    used_points, &top);
        b.p = p, *b.residual_top = all(0.0);
        for (int64_t j = 0; j < k; j++)
            for (int64_t i = 0; i < p; i++)
                store(b.columns + (j * p + i) * LANES,
                      terms_of(tables + j * m, m, used_points[i]));
        for (int64_t i = 0; i < p; i++) {
            store(b.y + i * LANES, lanes_of(y, used_points[i]));
            store(b.magnitude + i * LANES, lanes_of(magnitude, used_points[i]));
            store(b.deviation + i * LANES, lanes_of(deviation, used_points[i]));
        }
        fit_block(&b, rules, top, volume, finite);
        const vec residual = *b.residual_top;
        ivec impossible = as_outlier & ((residual > -c.rounding) | (residual < -c.largest) |
                                        (least > residual / 2.0));
        for (int64_t f = 0; f < c.beyond; f++) {
            vec value = all(0.0), size = all(0.0);
            for (int64_t j = 0; j < k; j++) {
                const vec term = b.coefficients[j] * terms_of(far + j * m, m, f);
                value += term, size += larger(term, -term);
            }
            impossible |= nonnegative & (value < -c.rounding * size);
            for (int64_t l = 0; l < used; l++) beyond[to[l] * c.beyond + f] = value[l];
        }
        const vec own = choose(impossible, all(-INFINITY), *b.base + own_prior);
        const vec weight = over_levels(own, *b.rss, constants, c.slopes, c.levels);
        for (int64_t l = 0; l < used; l++)
            base[to[l]] = own[l], rss[to[l]] = (*b.rss)[l], log_weight[to[l]] = weight[l];
        for (int64_t j = 0; j < k; j++)
            for (int64_t l = 0; l < used; l++) coefficients[to[l] * k + j] = b.coefficients[j][l];
        for (int64_t j = 0; j < k * k; j++)
            for (int64_t l = 0; l < used; l++) root[to[l] * k * k + j] = b.root[j][l];
    }
    free(room);
    return 0;
}

/* The same of all candidates that have a probability, or, with `least` (K), of those that are worth
 * it: whose log weight is greater, while their residuals are greater than `straight` (K). */
int fit_candidates(int64_t n, int64_t k, const int64_t *codes, const double *prior,
                   const double *least, const double *straight, const Shared *shared, const Rules *rules,
                   double *base, double *rss, double *log_weight, double *coefficients,
                   double *root, double *beyond) {
    const int64_t v_count = shared->profiles, every = shared->series * n * v_count;
    int64_t count = 0, number = 0;
    Place *places = malloc(sizeof(Place) * (size_t)(every + 1));
    if (!places) return SHORT;
    for (int64_t series = 0; series < shared->series; series++)
        for (int64_t i = series * n; i < (series + 1) * n; i++) {
            if (!least && !isfinite(prior[i])) {
                number += v_count;
                continue;
            }
            for (int64_t v = 0; v < v_count; v++, number++) {
                places[count] = (Place){number, i, series};
                count += !least || (log_weight[number] > least[series] &&
                                    rss[number] > straight[series]);
            }
        }
    const int failed = fit_places(count, places, k, codes, prior, shared, rules, base, rss,
                                  log_weight, coefficients, root, beyond);
    free(places);
    return failed;
}

/* Candidates of one size of K series: codes (K, n, k, m), prior (K, n), constants (K, V, S). */
typedef struct {
    int64_t n, k;
    const int64_t *codes;
    const double *prior, *constants;
} Sized;

/* What of the first fits is worth further steps. */
typedef struct {
    double hopeless, straight;
} Worth;

enum { AT_ONCE = 32 }; /* series whose fits the cache holds */

/* Room for the fits of one size of so many series; what is fitted there. */
static double *fits_in(double *room, const Sized *of, int64_t series, int64_t v_count, int64_t far,
                       Fits *fits) {
    const int64_t every = series * of->n * v_count;
    fits->n = of->n, fits->k = of->k;
    fits->base = room, fits->rss = room + every, fits->log_weight = room + 2 * every;
    fits->coefficients = room + 3 * every;
    fits->root = fits->coefficients + every * of->k;
    fits->beyond = fits->root + every * of->k * of->k;
    return room + every * (3 + of->k + of->k * of->k + far);
}

/* Those that a batch has from series `first` on. */
static Shared part_of(const Shared *c, int64_t first, int64_t series) {
    const int64_t rows = first * c->profiles;
    Shared part = *c;
    part.series = series;
    part.y += first * c->points, part.magnitude += first * c->points;
    part.deviation += rows * c->points, part.volume += rows;
    part.counts += first, part.least += first, part.nonnegative += first;
    return part;
}

/* `fit_candidates` and `gather` of some series at a time, whose fits need not be kept. Fits are made
 * by the first rules; where there are `further` ones those that are worth it again. Beside what was
 * gathered the least variance (K) that any possible fit leaves. Returns SHORT where memory is short. */
int fit_and_gather(int64_t sizes, const Sized *sized, const Shared *shared, const Rules *rules,
                   const Rules *further, const Worth *worth, const Gathering *gathering,
                   const Gathered *found, double *variance) {
    const int64_t v_count = shared->profiles, a_count = gathering->kept, most = gathering->most;
    const int64_t m = shared->parameters, far = shared->beyond;
    int64_t size = 0;
    for (int64_t g = 0; g < sizes; g++)
        size += sized[g].n * (3 + sized[g].k + sized[g].k * sized[g].k + far);
    double *room = malloc(sizeof(double) * (size_t)(AT_ONCE * v_count * size + 1));
    if (!room) return SHORT;
    Fits fits[sizes];
    Gathering own = *gathering;
    own.fits = fits;
    int failed = 0;
    for (int64_t first = 0; !failed && first < shared->series; first += AT_ONCE) {
        const int64_t left = shared->series - first, series = left < AT_ONCE ? left : AT_ONCE;
        Shared part = part_of(shared, first, series);
        double *next = room, best[AT_ONCE], least[AT_ONCE], straight[AT_ONCE];
        for (int64_t s = 0; s < series; s++) best[s] = -INFINITY, variance[first + s] = INFINITY;
        for (int64_t g = 0; g < sizes; g++) {
            const Sized *of = sized + g;
            Fits *to = fits + g;
            next = fits_in(next, of, series, v_count, far, to);
            to->codes = of->codes + first * of->n * of->k * m, to->prior = of->prior + first * of->n;
            to->constants = of->constants + first * v_count * shared->levels;
            double *base = (double *)to->base, *rss = (double *)to->rss;
            double *weight = (double *)to->log_weight;
            for (int64_t i = 0; i < series * of->n * v_count; i++)
                base[i] = weight[i] = -INFINITY, rss[i] = 1.0;
            part.constants = to->constants;
            failed |= fit_candidates(of->n, of->k, to->codes, to->prior, NULL, NULL, &part, rules,
                                     base, rss, weight, (double *)to->coefficients,
                                     (double *)to->root, (double *)to->beyond);
            for (int64_t s = 0; s < series; s++)
                for (int64_t i = s * of->n * v_count; i < (s + 1) * of->n * v_count; i++)
                    best[s] = weight[i] > best[s] ? weight[i] : best[s];
        }
        for (int64_t s = 0; s < series; s++) {
            least[s] = best[s] - worth->hopeless;
            straight[s] = part.counts[s] * (worth->straight * worth->straight);
        }
        for (int64_t g = 0; g < sizes; g++) {
            Fits *to = fits + g;
            part.constants = to->constants;
            if (further)
                failed |= fit_candidates(to->n, to->k, to->codes, to->prior, least, straight, &part,
                                         further, (double *)to->base, (double *)to->rss,
                                         (double *)to->log_weight, (double *)to->coefficients,
                                         (double *)to->root, (double *)to->beyond);
            for (int64_t s = 0; s < series; s++) {
                const double freedom = part.counts[s] - (double)to->k;
                double least_rss = INFINITY;
                for (int64_t i = s * to->n * v_count; i < (s + 1) * to->n * v_count; i++)
                    if (isfinite(to->log_weight[i]) && to->rss[i] < least_rss) least_rss = to->rss[i];
                least_rss /= freedom > 1 ? freedom : 1.0;
                if (least_rss < variance[first + s]) variance[first + s] = least_rss;
            }
        }
        const int64_t rows = first * a_count;
        const Gathered there = {found->codes + rows * most * m,
                                found->coefficients + rows * most,
                                found->root + rows * most * most,
                                found->beyond + rows * far,
                                found->lead + rows * m,
                                found->prior + rows,
                                found->sigma + rows,
                                found->profile + rows,
                                found->evidence + rows};
        own.series = series;
        if (!failed) gather(&own, &there);
    }
    free(room);
    return failed;
}
