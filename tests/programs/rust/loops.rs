// Loops that Rust programs are made of. `work` is analysed over its arguments; main runs it with those of the command line.
use std::hint::black_box;

#[inline(never)]
fn sum_to(k: i64) -> i64 {
    let mut s = 0;
    for i in 1..=k {
        s += black_box(i);
    }
    s
}

#[inline(never)]
fn work(n: i64, m: usize, a: &mut [f64], b: &[f64]) -> i64 {
    let mut s = 0;
    for i in 0..n {
        for j in i..n {
            s += i * j;
        }
        s += sum_to(i);
    }
    for i in (0..m).step_by(4) {
        s += i as i64;
    }
    for i in (0..n).rev() {
        if i == 3 {
            continue;
        }
        for _ in 0..i {
            s += 1;
        }
    }
    let mut k = n;
    while k > 1 {
        k /= 2;
        s += 1;
    }
    let mut t = 0;
    loop {
        t += 1;
        if t >= n {
            break;
        }
    }
    for i in 0..m {
        if i > 5 {
            break;
        }
        s += 2;
    }
    'outer: for i in 0..m {
        let mut j = 0;
        while j < 3 && j < i {
            j += 1;
        }
        if i == 8 {
            break 'outer;
        }
    }
    for x in a.iter_mut() {
        *x += 1.0;
    }
    for (i, x) in b.iter().enumerate() {
        s += i as i64 + *x as i64;
    }
    for (x, y) in a.iter_mut().zip(b.iter()) {
        *x += *y;
    }
    for pair in b.windows(2) {
        s += pair[0] as i64;
    }
    (0..n).for_each(|i| {
        s += black_box(i);
    });
    for x in b.iter().filter(|x| **x > 2.0) {
        s += *x as i64;
    }
    s += b.iter().map(|x| { black_box(*x) as i64 }).sum::<i64>();
    s += a.iter().fold(0, |t, x| { t + black_box(*x) as i64 });
    s
}

fn main() {
    let given: Vec<i64> = std::env::args().skip(1).map(|w| w.parse().unwrap()).collect();
    let mut a = vec![0.0; given[2] as usize];
    let b = vec![1.0; given[3] as usize];
    println!("{}", work(given[0], given[1] as usize, &mut a, &b));
}
