// Iterators as Rust programs write them: reversed, in steps, in chunks, over vectors that were collected.
use std::hint::black_box;

#[inline(never)]
fn work(n: i64, m: usize, a: &mut [f64], b: &[f64]) -> i64 {
    let mut s = n;
    let k = m + 1;
    for i in (0..a.len()).step_by(k) {
        s += i as i64;
    }
    for i in (0..m).step_by(2).rev() {
        s += i as i64;
    }
    for i in (1..=m).rev() {
        for j in 1..=i {
            s += j as i64;
        }
    }
    for part in a.chunks(k) {
        s += part.len() as i64;
    }
    for part in b.chunks_exact(3) {
        s += part[0] as i64;
    }
    let w: Vec<usize> = (0..m).collect();
    for x in w.iter() {
        s += *x as i64;
    }
    for x in &w {
        s += *x as i64;
    }
    let z = vec![1u64; m * 2];
    for i in 0..z.len() {
        s += z[i] as i64;
    }
    let mut v = Vec::with_capacity(m);
    for i in 0..m {
        v.push(black_box(i));
    }
    for x in v.iter() {
        s += *x as i64;
    }
    for (x, y) in (0..m).zip(0..b.len()) {
        s += (x * y) as i64;
    }
    for x in b.to_vec() {
        s += x as i64;
    }
    for (x, y) in a.iter().zip(b).take(7) {
        s += (x * y) as i64;
    }
    s
}

fn main() {
    let given: Vec<i64> = std::env::args().skip(1).map(|w| w.parse().unwrap()).collect();
    let mut a = vec![0.0; given[2] as usize];
    let b = vec![1.0; given[3] as usize];
    println!("{}", work(given[0], given[1] as usize, &mut a, &b));
}
