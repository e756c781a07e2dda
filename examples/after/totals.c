/* Totals of orders by customer, and how often each one ordered. */
static int orders_of(const int *customer, int n, int who) {
    int found = 0;
    for (int i = 0; i < n; i++) found += customer[i] == who;
    return found;
}

void totals(const int *customer, const double *price, int n, double *total, int *orders) {
    for (int i = 0; i < n; i++) {
        total[customer[i]] += price[i];
        orders[i] = orders_of(customer, n, customer[i]);
    }
}
