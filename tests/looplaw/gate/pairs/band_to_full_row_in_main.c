// expected: growth
// -- before
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), s = 0;
    for (int r = 0; r < n; r++)
        for (int k = r; k < r + 3; k++) s += k;
    return s;
}
// -- after
#include <stdlib.h>
int main(int argc, char **argv) {
    int n = atoi(argv[1]), s = 0;
    for (int r = 0; r < n; r++)
        for (int k = 0; k < n; k++) s += k;
    return s;
}
