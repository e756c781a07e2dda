/* Totals of orders by customer: one pass over the orders. */
void totals(const int *customer, const double *price, int n, double *total) {
    for (int i = 0; i < n; i++) total[customer[i]] += price[i];
}
