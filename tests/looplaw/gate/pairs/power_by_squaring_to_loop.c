// expected: growth
// -- before
long p(long b, int e) {
    long r = 1;
    while (e > 0) {
        if (e&1) r *= b;
        b *= b;
        e /= 2;
    }
    return r;
}
// -- after
long p(long b, int e) {
    long r = 1;
    for (int i = 0; i < e; i++) r *= b;
    return r;
}
