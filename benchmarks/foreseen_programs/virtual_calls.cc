// 3000 120
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
};
struct Polygon : Shape {
    std::vector<double> x, y;
    explicit Polygon(int n) {
        for (int k = 0; k < n; k++) { x.push_back(k * k % 7); y.push_back(k * 3 % 5); }
    }
    double area() const override {
        double s = 0;
        for (std::size_t k = 0; k + 1 < x.size(); k++) s += x[k] * y[k + 1] - x[k + 1] * y[k];
        return s / 2;
    }
};
struct Square : Shape {
    double a;
    explicit Square(double side) : a(side) {}
    double area() const override { return a * a; }
};
struct Stairs : Shape {
    int n;
    explicit Stairs(int steps) : n(steps) {}
    double area() const override {
        double s = 0;
        for (int k = 1; k <= n; k++) s += 1.0 / k;
        return s;
    }
};
int main(int, char **argv) {
    int n = atoi(argv[1]), rounds = atoi(argv[2]);
    std::vector<std::unique_ptr<Shape>> all;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0) all.push_back(std::make_unique<Polygon>(3 + i % 5));
        else if (i % 3 == 1) all.push_back(std::make_unique<Square>(i % 10));
        else all.push_back(std::make_unique<Stairs>(i % 6));
    }
    double s = 0;
    for (int r = 0; r < rounds; r++)
        for (auto &p : all) s += p->area();
    printf("%g\n", s);
}
