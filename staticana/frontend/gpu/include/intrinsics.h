// Functions of the device beyond those that C has, for clang without a toolkit. Names: CUDA Math API
// reference. What a rounding mode changes is not known to the analysis: all round to nearest.
#ifndef __LL_INTRINSICS_H
#define __LL_INTRINSICS_H
#define __LL_D static inline __device__
#define __LL_ROUNDED(f, name, ...) f(name##_rn, __VA_ARGS__) f(name##_rz, __VA_ARGS__)             \
  f(name##_ru, __VA_ARGS__) f(name##_rd, __VA_ARGS__)
#define __LL_CAST(name, from, to) __LL_D to name(from v) { return (to)v; }
#define __LL_WHOLE(name, from, to) __LL_D to name(from v) { return (to)rint(v); }
#define __LL_FLOATS(of, type)                                                                      \
  __LL_ROUNDED(__LL_WHOLE, __##of##2int, type, int)                                                \
  __LL_ROUNDED(__LL_WHOLE, __##of##2uint, type, unsigned)                                          \
  __LL_ROUNDED(__LL_WHOLE, __##of##2ll, type, long long)                                           \
  __LL_ROUNDED(__LL_WHOLE, __##of##2ull, type, unsigned long long)                                 \
  __LL_ROUNDED(__LL_CAST, __int2##of, int, type) __LL_ROUNDED(__LL_CAST, __uint2##of, unsigned, type) \
  __LL_ROUNDED(__LL_CAST, __ll2##of, long long, type)                                              \
  __LL_ROUNDED(__LL_CAST, __ull2##of, unsigned long long, type)
__LL_FLOATS(float, float) __LL_FLOATS(double, double)
__LL_ROUNDED(__LL_CAST, __double2float, double, float)
#define __LL_OP2(name, type, op) __LL_D type name(type a, type b) { return a op b; }
#define __LL_ARITHMETIC(l, type, root, fused)                                                      \
  __LL_ROUNDED(__LL_OP2, __##l##add, type, +) __LL_ROUNDED(__LL_OP2, __##l##sub, type, -)          \
  __LL_ROUNDED(__LL_OP2, __##l##mul, type, *) __LL_ROUNDED(__LL_OP2, __##l##div, type, /)          \
  __LL_ROUNDED(__LL_RECIPROCAL, __##l##rcp, type) __LL_ROUNDED(__LL_ROOT, __##l##sqrt, type)       \
  __LL_ROUNDED(__LL_FUSED, fused, type)
#define __LL_RECIPROCAL(name, type) __LL_D type name(type v) { return 1 / v; }
#define __LL_ROOT(name, type) __LL_D type name(type v) { return sqrt(v); }
#define __LL_FUSED(name, type) __LL_D type name(type a, type b, type c) { return a * b + c; }
__LL_ARITHMETIC(f, float, sqrtf, __fmaf) __LL_ARITHMETIC(d, double, sqrt, __fma)
#undef __LL_ROUNDED
__LL_D float __frsqrt_rn(float v) { return rsqrtf(v); }
__LL_D double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, (unsigned long long)(unsigned)high << 32 | (unsigned)low);
}
__LL_D int __double2hiint(double v) { return (int)(__builtin_bit_cast(long long, v) >> 32); }
__LL_D int __double2loint(double v) { return (int)__builtin_bit_cast(long long, v); }

// -- integers
__LL_D int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
__LL_D unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
__LL_D unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  unsigned long long al = (unsigned)a, ah = a >> 32, bl = (unsigned)b, bh = b >> 32;
  unsigned long long middle = ah * bl + (al * bl >> 32), other = al * bh + (unsigned)middle;
  return ah * bh + (middle >> 32) + (other >> 32);
}
__LL_D long long __mul64hi(long long a, long long b) {
  return (long long)(__umul64hi(a, b) - (a < 0 ? b : 0) - (b < 0 ? a : 0));
}
__LL_D unsigned __sad(int a, int b, unsigned c) { return c + (unsigned)(a < b ? b - a : a - b); }
__LL_D unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a < b ? b - a : a - b); }
__LL_D int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__LL_D int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
__LL_D unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
__LL_D unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  unsigned long long both = (unsigned long long)b << 32 | a;
#define __LL_BYTE(n) ((unsigned)(both >> (s >> 4 * n & 7) * 8 & 255) << 8 * n)
  return __LL_BYTE(0) | __LL_BYTE(1) | __LL_BYTE(2) | __LL_BYTE(3);
}
__LL_D unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
  return (unsigned)(((unsigned long long)high << 32 | low) << (n & 31) >> 32);
}
__LL_D unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
  return (unsigned)(((unsigned long long)high << 32 | low) >> (n & 31));
}
__LL_D unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
__LL_D int __ffsll(long long v) { return __builtin_ffsll(v); }
__LL_D int __dp4a(int a, int b, int c) {
#define __LL_DOT(n) (signed char)(a >> 8 * n) * (signed char)(b >> 8 * n)
  return c + __LL_DOT(0) + __LL_DOT(1) + __LL_DOT(2) + __LL_DOT(3);
}

// -- warps and memory
#define __LL_REDUCED(name) __LL_D unsigned __reduce_##name##_sync(unsigned, unsigned v) {          \
    return (unsigned)looplaw_vote(6, (int)v); }
__LL_REDUCED(add) __LL_REDUCED(min) __LL_REDUCED(max) __LL_REDUCED(and) __LL_REDUCED(or)
__LL_REDUCED(xor)
template <class T> __LL_D unsigned __match_any_sync(unsigned, T v) {
  return (unsigned)looplaw_vote(7, (int)v);
}
template <class T> __LL_D unsigned __match_all_sync(unsigned, T v, int *all) {
  return (unsigned)(*all = looplaw_vote(8, (int)v));
}
#define __LL_LOAD(name) template <class T> __LL_D T name(const T *p) { return *p; }
#define __LL_STORE(name) template <class T> __LL_D void name(T *p, T v) { *p = v; }
__LL_LOAD(__ldg) __LL_LOAD(__ldcs) __LL_LOAD(__ldcg) __LL_LOAD(__ldca) __LL_LOAD(__ldlu)
__LL_LOAD(__ldcv) __LL_STORE(__stcs) __LL_STORE(__stcg) __LL_STORE(__stwb) __LL_STORE(__stwt)
__LL_D void __nanosleep(unsigned) {}
__LL_D void __trap() { __builtin_trap(); }
__LL_D size_t __cvta_generic_to_shared(const void *p) { return (size_t)p; }
#undef __LL_D
#endif
