// expected: growth
// -- before
int f(int n) {
    int r = 0;
    for (int i = 0; i < n; i++) {
        switch (i%3) {
            case 0: continue;
            case 1: r++;
            break;
            default: r += 2;
        }
    }
    return r;
}
// -- after
int f(int n) {
    int r = 0;
    for (int i = 0; i < n; i++) {
        switch (i%3) {
            case 0: continue;
            case 1: for (int k = 0; k < n; k++) r++;
            break;
            default: r += 2;
        }
    }
    return r;
}
