/* Orders of a shop: their revenue, and how many customers placed them. */
#include <stdio.h>
#include <stdlib.h>

#define CUSTOMERS 1000

static int customers(const int *who, int n) {
    char seen[CUSTOMERS] = {0};
    int found = 0;
    for (int i = 0; i < n; i++) {
        found += !seen[who[i]];
        seen[who[i]] = 1;
    }
    return found;
}

static double revenue(const double *price, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += price[i];
    return sum;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    if (n < 1) return 1;
    int *who = malloc(n * sizeof *who);
    double *price = malloc(n * sizeof *price);
    if (!who || !price) return 1;
    for (int i = 0; i < n; i++) {
        who[i] = i * 7919 % CUSTOMERS;
        price[i] = i % 50;
    }
    printf("%d orders of %d customers: %g\n", n, customers(who, n), revenue(price, n));
    free(who);
    free(price);
    return 0;
}
