// expected: nothing
// -- before
struct part { int kind; part() : kind(0) {} };
int render(const part *parts, int n);
int format(const int *kinds, int n) {
    if (n > 16)
        return -1;
    part parts[16];
    for (int i = 0; i < n; i++)
        parts[i].kind = kinds[i];
    return render(parts, n);
}
// -- after
struct part { int kind; part() : kind(0) {} };
int render(const part *parts, int n);
static int convert(part *parts, const int *kinds, int n) {
    if (n > 16)
        return -1;
    for (int i = 0; i < n; i++)
        parts[i].kind = kinds[i];
    return 0;
}
int format(const int *kinds, int n) {
    part parts[16];
    int error = convert(parts, kinds, n);
    if (error != 0)
        return error;
    return render(parts, n);
}
