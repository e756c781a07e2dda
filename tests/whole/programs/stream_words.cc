/* 5: n=5 | 9: n=9 */
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

int main(int argc, char **argv) {
    if (argc < 2) {
        std::cerr << "usage\n";
        return 1;
    }
    int n = std::atoi(argv[1]);
    std::stringstream text;
    text << n << "\n";
    for (int i = 0; i < n; ++i) { /* n */
        text << i << ' ';
    }
    int count;
    if (!(text >> count)) {
        std::cerr << "no count\n";
        return 1;
    }
    long sum = 0;
    for (int i = 0; i < count; ++i) { /* count */
        int value = 0;
        text >> value;
        sum += value;
    }
    for (int i = 0; i < count; ++i) { /* count */
        for (int j = 0; j < i; ++j) { /* count*(count - 1)/2 */
            sum += j;
        }
    }
    std::cout << sum << "\n";
    return 0;
}
