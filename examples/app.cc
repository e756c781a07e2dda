#include <cstdlib>

void print(int n);
double total;

void solve(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) total = total * 0.5 + j;
}

int main(int, char **argv) {
    int n = std::atoi(argv[1]);
    solve(n);
    print(n);
}
