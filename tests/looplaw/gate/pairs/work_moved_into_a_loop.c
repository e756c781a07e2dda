// expected: growth
// -- before
#include <string.h>
static unsigned char lengths[300];
static const char *words[300];
static int share(int n) {
    int sum = 0;
    for (int w = 0; w < n; w++)
        sum += strlen(words[w]);
    return sum;
}
int generate(int n, char *to) { words[0] = to; return share(n) + *to; }
// -- after
#include <string.h>
static unsigned char lengths[300];
static const char *words[300];
static void measure(int n) {
    for (int w = 0; w < n; w++)
        lengths[w] = strlen(words[w]);
}
static int share(int n) {
    int sum = 0;
    for (int w = 0; w < n; w++)
        sum += lengths[w];
    return sum;
}
int generate(int n, char *to) { words[0] = to; for (int i = 0; i < n; i++) measure(n); return share(n) + *to; }
