// expected: growth
// -- before
#include <math.h>
double bands(double x, int k) {
    int size = (int)pow(2, k);
    double s = 0;
    for (int r = 0; r < size; r++)
        for (int j = r; j < r + 3; j++) s += x;
    for (int i = 0; i < lround(k * 0.5); i++) s -= x;
    return s;
}
// -- after
#include <math.h>
double bands(double x, int k) {
    int size = (int)pow(2, k);
    double s = 0;
    for (int r = 0; r < size; r++)
        for (int j = 0; j < size; j++) s += x;
    for (int i = 0; i < lround(k * 0.5); i++) s -= x;
    return s;
}
