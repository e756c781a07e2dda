/* The factors of one parameter that explain its lines best: see `search/line_factors.py`. */

#include "least.h"

/* Lines that share their points (P), by their numbers rows (N, P); the weight (labels, P) of the
 * points with each label, and the labels (K, N) of the lines of each series. */
typedef struct {
    int64_t lines, points, labels;
    const int64_t *rows, *label;
    const double *weight;
} Alike;

/* The hypotheses of one size: factor numbers rows (H, size), log prior (H), scale (H') of their
 * errors, infinite where padded, and for each label of each kind of lines in turn the quadratic
 * forms (M, H') of their errors, or none where the points are too few, and bases (H, size, P). The
 * log evidence of summed errors e is that of the prior, minus half of `freedom` times log(pi e),
 * plus `constant`. */
typedef struct {
    int64_t size, hypotheses, padded, keep;
    const int64_t *rows;
    const double *prior, *scale;
    const double *const *forms, *const *bases;
    double floor, difference, slack, freedom, constant;
} Hypotheses;

typedef struct {
    int64_t series, points, kinds, sizes, factors, width, most;
    int64_t formed;  /* are there forms? not where lines have many points */
    const double *y; /* (K, P) */
    const Alike *alike;
    const Hypotheses *sized;
    double tiny;
    int64_t mask; /* the bits of an error that its place takes */
} Search;

/* What is known of one series: the values of all lines, one kind after the other, divided by weight
 * and size, and for each label of each kind how many lines have it, and the products (M) of values
 * that quadratic forms are asked for, summed over these. */
typedef struct {
    const Search *search;
    const Hypotheses *sized; /* whose errors are computed again */
    int64_t series;
    double *values, *products;
    int64_t *counts;
} Series;

static void summed(const Search *s, const Series *of) {
    const double *y = s->y + of->series * s->points;
    double *values = of->values, *products = of->products;
    int64_t *counts = of->counts;
    for (int64_t c = 0; c < s->kinds; c++) {
        const Alike *a = s->alike + c;
        const int64_t p = a->points, asked = p * (p + 1) / 2;
        memset(products, 0, sizeof(double) * (size_t)(asked * a->labels));
        memset(counts, 0, sizeof(int64_t) * (size_t)a->labels);
        for (int64_t n = 0; n < a->lines; n++, values += p) {
            const int64_t label = a->label[of->series * a->lines + n];
            double *to = products + label * asked, squares = 0.0;
            for (int64_t t = 0; t < p; t++) {
                values[t] = y[a->rows[n * p + t]] * a->weight[label * p + t];
                squares += values[t] * values[t];
            }
            const double size = sqrt(squares / (double)p);
            const double back = size > 0 ? 1 / size : 1.0; /* a line of zeros tells nothing */
            for (int64_t t = 0; t < p; t++) values[t] *= back;
            for (int64_t i = 0; i < p; i++)
                for (int64_t j = i; j < p; j++) *to++ += values[i] * values[j];
            counts[label]++;
        }
        products += asked * a->labels, counts += a->labels;
    }
}

/* The scaled error of a hypothesis, summed over the lines, from what it leaves of their values. */
static double error_again(const void *of, int64_t h) {
    const Series *own = of;
    const Hypotheses *z = own->sized;
    const double *values = own->values, *const *bases = z->bases;
    double total = 0.0;
    for (int64_t c = 0; c < own->search->kinds; c++) {
        const Alike *a = own->search->alike + c;
        const int64_t p = a->points;
        for (int64_t n = 0; n < a->lines && p > z->size; n++) {
            const int64_t label = a->label[own->series * a->lines + n];
            total += left_of(bases[label] + h * z->size * p, z->size, p, values + n * p);
        }
        values += a->lines * p, bases += a->labels;
    }
    return (total > z->floor ? total : z->floor) * z->scale[h];
}

/* Scaled errors (H') of all hypotheses of one size, summed over the lines of a series. */
static void summed_errors(const Series *of, double *errors) {
    const Search *s = of->search;
    const Hypotheses *z = of->sized;
    if (!s->formed) {
        for (int64_t h = 0; h < z->hypotheses; h++) errors[h] = error_again(of, h);
        for (int64_t h = z->hypotheses; h < z->padded; h++) errors[h] = INFINITY;
        return;
    }
    for (int64_t start = 0; start < z->padded; start += GROUPS * LANES) {
        int64_t groups = (z->padded - start) / LANES;
        groups = groups < GROUPS ? groups : GROUPS;
        vec total[GROUPS] = {{0}};
        const double *products = of->products, *const *forms = z->forms;
        const int64_t *counts = of->counts;
        for (int64_t c = 0; c < s->kinds; c++) {
            const Alike *a = s->alike + c;
            const int64_t asked = a->points * (a->points + 1) / 2;
            for (int64_t l = 0; l < a->labels; l++, forms++, products += asked) {
                if (!counts[l] || a->points <= z->size) continue;
                const double *form = *forms + start;
                vec part[GROUPS] = {{0}};
                if (groups == GROUPS)
                    for (int64_t t = 0; t < asked; t++, form += z->padded)
                        for (int g = 0; g < GROUPS; g++)
                            part[g] += products[t] * load(form + g * LANES);
                else
                    for (int64_t t = 0; t < asked; t++, form += z->padded)
                        for (int64_t g = 0; g < groups; g++)
                            part[g] += products[t] * load(form + g * LANES);
                for (int64_t g = 0; g < groups; g++) total[g] += larger(part[g], all(0.0));
            }
            counts += a->labels;
        }
        for (int64_t g = 0; g < groups; g++) {
            const int64_t at = start + g * LANES;
            store(errors + at, larger(total[g], all(z->floor)) * load(z->scale + at));
        }
    }
}

/* A hypothesis that was kept, and its log evidence. */
typedef struct {
    const int64_t *rows;
    int64_t size;
    double evidence;
} Kept;

/* Put the best hypotheses of one size behind those that are kept, the most probable ones of all
 * first; equal ones stay in order. */
static int64_t with_best(const Series *of, const double *errors, int64_t count, Kept *kept) {
    const Hypotheses *z = of->sized;
    const Again again = {error_again, of, z->scale, z->difference, z->slack};
    int64_t keys[z->keep];
    double least[z->keep];
    least_of(errors, z->hypotheses, z->keep, of->search->mask, &again, keys, least);
    for (int64_t a = 0; a < z->keep; a++) {
        const int64_t h = keys[a] & of->search->mask;
        const double error = 3.14159265358979323846 * (least[a] / z->scale[h]);
        const double own = z->prior[h] - z->freedom / 2 * log_one(error + of->search->tiny);
        const Kept one = {z->rows + h * z->size, z->size, own + z->constant};
        int64_t at = count++;
        for (; at > 0 && kept[at - 1].evidence < one.evidence; at--) kept[at] = kept[at - 1];
        kept[at] = one;
    }
    return count;
}

/* The factors of one parameter that come first in the most probable hypotheses of each series, in
 * this order, at most `most`, padded with zeros (K, width). Returns SHORT where memory is short. */
int choose_factors(const Search *search, int64_t *chosen) {
    const Search *s = search;
    int64_t values = 0, products = 0, labels = 0, padded = 0, keep = 0;
    for (int64_t c = 0; c < s->kinds; c++) {
        const Alike *a = s->alike + c;
        values += a->lines * a->points, labels += a->labels;
        products += a->labels * a->points * (a->points + 1) / 2;
    }
    for (int64_t g = 0; g < s->sizes; g++) {
        padded = s->sized[g].padded > padded ? s->sized[g].padded : padded;
        keep += s->sized[g].keep;
    }
    double *room = malloc(sizeof(double) * (size_t)(values + products + padded));
    int64_t *counts = malloc(sizeof(int64_t) * (size_t)(labels + s->factors));
    Kept *kept = malloc(sizeof(Kept) * (size_t)keep);
    const int failed = !room || !counts || !kept;
    for (int64_t k = 0; k < s->series && !failed; k++) {
        Series of = {s, NULL, k, room, room + values, counts};
        double *errors = room + values + products;
        int64_t count = 0, *seen = counts + labels, *to = chosen + k * s->width, own = 0;
        summed(s, &of);
        for (int64_t g = 0; g < s->sizes; g++) {
            of.sized = s->sized + g;
            summed_errors(&of, errors);
            count = with_best(&of, errors, count, kept);
        }
        memset(seen, 0, sizeof(int64_t) * (size_t)s->factors);
        memset(to, 0, sizeof(int64_t) * (size_t)s->width);
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < kept[i].size && own < s->most; j++) {
                const int64_t factor = kept[i].rows[j];
                if (factor && !seen[factor]) to[own++] = factor, seen[factor] = 1;
            }
    }
    free(room), free(counts), free(kept);
    return failed ? SHORT : 0;
}
