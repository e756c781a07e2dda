/* args: 4 | 8 : constructors and destructors of globals and locals */
#include <cstdio>
#include <cstdlib>
static long seen;
struct Loud {
    int size;
    explicit Loud(int n) : size(n) {
        for (int i = 0; i < size; i++) {
            seen++;
        }
    }
    ~Loud() {
        for (int i = 0; i < 2 * size; i++) {
            seen++;
        }
    }
};
static Loud before_main(5);
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 3;
    {
        Loud inside(n);
    }
    static Loud kept(3);
    printf("%ld\n", seen);
    return 0;
}
