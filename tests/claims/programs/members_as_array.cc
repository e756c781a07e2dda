/* args: 5 3 | 0 0 | 2 4 | 9 2 : members as an array
   flags: -std=c++17 */
#include <cstdio>
#include <cstdlib>
struct dims {
    int x, y, z;
    int &operator[](int i) { return (&x)[i]; }
    int get(int i) const { return (&x)[i]; }
};
struct grid { int pad; dims d; };
static void set(dims &d, int k, int v) { d[k] = v; }
static dims g;
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), t = 0;
    dims d{n, n, n};
    d[m % 3] = 4;
    for (int i = 0; i < d.y; i++) {
        for (int j = 0; j < d.z; j++) {
            t++;
        }
    }
    g = {n, n, n};
    set(g, m % 3, 5);
    for (int i = 0; i < g.x + g.y + g.z; i++) {
        t++;
    }
    grid *h = new grid{1, {n, n, n}};
    h->d[m % 3] = 6;
    for (int i = 0; i < h->d.x + h->d.y + h->d.z; i++) {
        t++;
    }
    set(h->d, 1, 2);
    for (int i = 0; i < h->d.get(0) + h->d.get(1) + h->d.z; i++) {
        t++;
    }
    dims e{n, n, n};
    for (int i = 0; i < 3; i++) {
        e[i] += i;
    }
    for (int i = 0; i < e.x + e.y + e.z; i++) {
        t++;
    }
    printf("%d\n", t);
    return 0;
}
