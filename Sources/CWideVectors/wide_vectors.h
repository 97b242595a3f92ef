// The innermost loops of learning, eight numbers at once, for processors with AVX2. Each does for every number what the
// loops of ActivityRecognition in Swift do, in the same order, each product rounded before it is added (no fused
// multiply-add): what comes out has the same bytes on every processor. Swift can compile a target for one kind of
// processor only; C can say it for a function.
#ifndef COACH_WIDE_VECTORS_H
#define COACH_WIDE_VECTORS_H

#include <stdint.h>

// What is the same for all weights in a step of Adam.
struct coach_step {
  float rate, second_factor, kept, first_kept, first_new, second_kept, second_new, tiny;
};

#if defined(__x86_64__)
#include <cpuid.h>

#define COACH_AVX2 __attribute__((target("avx2,no-fma")))
#pragma STDC FP_CONTRACT OFF

typedef float coach_four __attribute__((vector_size(16), aligned(4), may_alias));
typedef float coach_eight __attribute__((vector_size(32), aligned(4), may_alias));
typedef uint32_t coach_eight_bits __attribute__((vector_size(32)));

// Whether the processor has AVX2 and the system keeps its registers: 1 or 0.
static inline int coach_has_wide_vectors(void) {
  unsigned int a, b, c, d, kept, high;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX)) return 0;
  __asm__("xgetbv" : "=a"(kept), "=d"(high) : "c"(0));
  if ((kept & 6) != 6) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2);
}

// Four numbers of one row below four of another.
static inline COACH_AVX2 __attribute__((always_inline)) coach_eight coach_pair(const float *low, const float *high) {
  return __builtin_shufflevector(*(const coach_four *)low, *(const coach_four *)high, 0, 1, 2, 3, 4, 5, 6, 7);
}

static inline COACH_AVX2 __attribute__((always_inline)) void coach_put_pair(
    float *out, long out_stride, long unit, coach_eight sums, float bias) {
  out[unit] = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + bias;
  out[out_stride + unit] = ((sums[4] + sums[5]) + (sums[6] + sums[7])) + bias;
}

// The products of eight rows of `x` with three rows of `w`, of `width` numbers each (a multiple of 4), a bias added, as
// numbers `unit` to `unit + 2` of eight rows of `out`. A stride is how many numbers a row takes.
static COACH_AVX2 __attribute__((unused)) void coach_products_8_by_3(
    const float *x, long x_stride, const float *w, long w_stride, long width, const float *bias, float *out,
    long out_stride, long unit) {
  coach_eight a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0};
  coach_eight b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};
  coach_eight c0 = {0}, c1 = {0}, c2 = {0}, c3 = {0};
  const float *w0 = w, *w1 = w + w_stride, *w2 = w + 2 * w_stride;
  for (long k = 0; k < width; k += 4) {
    coach_eight x0 = coach_pair(x + k, x + x_stride + k);
    coach_eight x1 = coach_pair(x + 2 * x_stride + k, x + 3 * x_stride + k);
    coach_eight x2 = coach_pair(x + 4 * x_stride + k, x + 5 * x_stride + k);
    coach_eight x3 = coach_pair(x + 6 * x_stride + k, x + 7 * x_stride + k);
    coach_eight v = coach_pair(w0 + k, w0 + k);
    a0 += v * x0;
    a1 += v * x1;
    a2 += v * x2;
    a3 += v * x3;
    v = coach_pair(w1 + k, w1 + k);
    b0 += v * x0;
    b1 += v * x1;
    b2 += v * x2;
    b3 += v * x3;
    v = coach_pair(w2 + k, w2 + k);
    c0 += v * x0;
    c1 += v * x1;
    c2 += v * x2;
    c3 += v * x3;
  }
  coach_put_pair(out, out_stride, unit, a0, bias[0]);
  coach_put_pair(out + 2 * out_stride, out_stride, unit, a1, bias[0]);
  coach_put_pair(out + 4 * out_stride, out_stride, unit, a2, bias[0]);
  coach_put_pair(out + 6 * out_stride, out_stride, unit, a3, bias[0]);
  coach_put_pair(out, out_stride, unit + 1, b0, bias[1]);
  coach_put_pair(out + 2 * out_stride, out_stride, unit + 1, b1, bias[1]);
  coach_put_pair(out + 4 * out_stride, out_stride, unit + 1, b2, bias[1]);
  coach_put_pair(out + 6 * out_stride, out_stride, unit + 1, b3, bias[1]);
  coach_put_pair(out, out_stride, unit + 2, c0, bias[2]);
  coach_put_pair(out + 2 * out_stride, out_stride, unit + 2, c1, bias[2]);
  coach_put_pair(out + 4 * out_stride, out_stride, unit + 2, c2, bias[2]);
  coach_put_pair(out + 6 * out_stride, out_stride, unit + 2, c3, bias[2]);
}

// FloatKernels.squareRoot, eight at once.
static inline COACH_AVX2 __attribute__((always_inline)) coach_eight coach_square_root(coach_eight x) {
  coach_eight half = x * 0.5f;
  coach_eight y = (coach_eight)(0x5F3759DFu - ((coach_eight_bits)x >> 1));
  y *= 1.5f - (half * y) * y;
  y *= 1.5f - (half * y) * y;
  y *= 1.5f - (half * y) * y;
  return x * y;
}

static inline COACH_AVX2 __attribute__((always_inline)) void coach_step_eight(
    float *w, float *m, float *v, coach_eight gradient, const struct coach_step *step) {
  coach_eight first = *(coach_eight *)m * step->first_kept + gradient * step->first_new;
  coach_eight second = *(coach_eight *)v * step->second_kept + gradient * gradient * step->second_new;
  *(coach_eight *)m = first;
  *(coach_eight *)v = second;
  coach_eight change = step->rate * first / (coach_square_root(second * step->second_factor) + step->tiny);
  *(coach_eight *)w = *(coach_eight *)w * step->kept - change;
}

// A step of 32 weights of a unit, their moments at the same place of `m` and `v`. Their gradient is the sum over `count`
// entries, in order, of a factor times a row of 32 numbers, which is that of `inputs` at a place.
static COACH_AVX2 __attribute__((unused)) void coach_step_32(
    float *w, float *m, float *v, const float *inputs, long stride, const float *factors, const int32_t *places,
    long count, const struct coach_step *step) {
  coach_eight s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
  for (long entry = 0; entry < count; entry++) {
    float factor = factors[entry];
    const float *row = inputs + places[entry] * stride;
    s0 += factor * *(const coach_eight *)row;
    s1 += factor * *(const coach_eight *)(row + 8);
    s2 += factor * *(const coach_eight *)(row + 16);
    s3 += factor * *(const coach_eight *)(row + 24);
  }
  coach_step_eight(w, m, v, s0, step);
  coach_step_eight(w + 8, m + 8, v + 8, s1, step);
  coach_step_eight(w + 16, m + 16, v + 16, s2, step);
  coach_step_eight(w + 24, m + 24, v + 24, s3, step);
}
#else
// Other processors have the loops in Swift alone.
static inline int coach_has_wide_vectors(void) { return 0; }
static inline void coach_products_8_by_3(
    const float *x, long x_stride, const float *w, long w_stride, long width, const float *bias, float *out,
    long out_stride, long unit) {}
static inline void coach_step_32(
    float *w, float *m, float *v, const float *inputs, long stride, const float *factors, const int32_t *places,
    long count, const struct coach_step *step) {}
#endif
#endif
