// expected: growth
// -- before
void sizes(int *a, long lo, long hi) {
    if (hi - lo < 2) return;
    long mid = lo + (hi - lo) / 2;
    sizes(a, lo, mid);
    sizes(a, mid, hi);
    for (long k = 1; k < hi; k *= 2) a[0]++;
    for (long k = lo; k < hi; k++) a[k]++;
}
// -- after
void sizes(int *a, long lo, long hi) {
    if (hi - lo < 2) return;
    long mid = lo + (hi - lo) / 2;
    sizes(a, lo, mid);
    sizes(a, mid, hi);
    for (long k = 1; k < hi; k++) a[0]++;
    for (long k = lo; k < hi; k++) a[k]++;
}
