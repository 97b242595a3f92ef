// The innermost loops of learning and of sweeps, eight numbers at once for processors with AVX2 and sixteen for those with
// AVX-512. Each comes for every number to what the loops in Swift come to, those of learning in the same order, each
// product rounded before it is added (no fused multiply-add): the bytes are the same on every processor. Swift can compile
// a target for one kind of processor only; C can say it for a function.
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
#define COACH_AVX512 __attribute__((target("avx512f")))
// No processor may round a product and a sum at once, not even one that can.
#pragma STDC FP_CONTRACT OFF

typedef float coach_four __attribute__((vector_size(16), aligned(4), may_alias));
typedef float coach_eight __attribute__((vector_size(32), aligned(4), may_alias));
typedef float coach_sixteen __attribute__((vector_size(64), aligned(4), may_alias));
typedef uint32_t coach_eight_bits __attribute__((vector_size(32)));
typedef uint32_t coach_sixteen_bits __attribute__((vector_size(64)));

// How many numbers the processor works on at once, as far as the system keeps its registers: 16 with AVX-512, 8 with AVX2,
// else 4.
static inline int coach_vector_width(void) {
  unsigned int a, b, c, d, kept, high;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX)) return 4;
  __asm__("xgetbv" : "=a"(kept), "=d"(high) : "c"(0));
  if ((kept & 0x06) != 0x06 || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2)) return 4;
  return (kept & 0xE6) == 0xE6 && (b & bit_AVX512F) && (b & bit_AVX512BW) ? 16 : 8;
}

// Four numbers of one row below four of another.
static inline COACH_AVX2 __attribute__((always_inline)) coach_eight coach_pair(const float *low, const float *high) {
  return __builtin_shufflevector(*(const coach_four *)low, *(const coach_four *)high, 0, 1, 2, 3, 4, 5, 6, 7);
}

// Writes `count` rows of `width` numbers (a multiple of 4) so that the first four of each stand behind each other, then the
// next four of each: what a step over all of these rows needs is in one place.
static inline void coach_pack(const float *rows, long stride, long count, long width, float *packed) {
  for (long row = 0; row < count; row++) {
    for (long k = 0; k < width; k += 4) {
      *(coach_four *)(packed + k * count + 4 * row) = *(const coach_four *)(rows + row * stride + k);
    }
  }
}

static inline COACH_AVX2 __attribute__((always_inline)) void coach_put_pair(
    float *out, long stride, coach_eight sums, float bias) {
  out[0] = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + bias;
  out[stride] = ((sums[4] + sums[5]) + (sums[6] + sums[7])) + bias;
}

// The products of eight packed rows with `units` rows of `w`, a constant: as many as there are registers for.
static inline COACH_AVX2 __attribute__((always_inline)) void coach_products_of_eight_with(
    const long units, const float *packed, const float *w, long stride, long width, const float *bias, float *out,
    long out_stride) {
  coach_eight sums[2][4] = {{{0}}};
  for (long k = 0; k < width; k += 4) {
    const coach_eight *rows = (const coach_eight *)(packed + 8 * k);
#pragma clang loop unroll(full)
    for (long unit = 0; unit < units; unit++) {
      coach_eight v = coach_pair(w + unit * stride + k, w + unit * stride + k);
#pragma clang loop unroll(full)
      for (long pair = 0; pair < 4; pair++) sums[unit][pair] += v * rows[pair];
    }
  }
#pragma clang loop unroll(full)
  for (long unit = 0; unit < units; unit++) {
#pragma clang loop unroll(full)
    for (long pair = 0; pair < 4; pair++) {
      coach_put_pair(out + 2 * pair * out_stride + unit, out_stride, sums[unit][pair], bias[unit]);
    }
  }
}

// The products of eight packed rows of `width` numbers with each of `units` rows of `w`, a bias added, in eight rows of
// `out`. A stride is how many numbers a row takes.
static COACH_AVX2 __attribute__((unused)) void coach_products_of_8(
    const float *packed, const float *w, long stride, long units, long width, const float *bias, float *out,
    long out_stride) {
  long unit = 0;
  for (; unit + 2 <= units; unit += 2) {
    coach_products_of_eight_with(2, packed, w + unit * stride, stride, width, bias + unit, out + unit, out_stride);
  }
  for (; unit < units; unit++) {
    coach_products_of_eight_with(1, packed, w + unit * stride, stride, width, bias + unit, out + unit, out_stride);
  }
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

// Four numbers four times.
static inline COACH_AVX512 __attribute__((always_inline)) coach_sixteen coach_repeated(const float *numbers) {
  coach_four four = *(const coach_four *)numbers;
  return __builtin_shufflevector(four, four, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
}

static inline COACH_AVX512 __attribute__((always_inline)) void coach_put_quartet(
    float *out, long stride, coach_sixteen sums, float bias) {
  out[0] = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + bias;
  out[stride] = ((sums[4] + sums[5]) + (sums[6] + sums[7])) + bias;
  out[2 * stride] = ((sums[8] + sums[9]) + (sums[10] + sums[11])) + bias;
  out[3 * stride] = ((sums[12] + sums[13]) + (sums[14] + sums[15])) + bias;
}

static inline COACH_AVX512 __attribute__((always_inline)) void coach_products_of_sixteen_with(
    const long units, const float *packed, const float *w, long stride, long width, const float *bias, float *out,
    long out_stride) {
  coach_sixteen sums[3][4] = {{{0}}};
  for (long k = 0; k < width; k += 4) {
    const coach_sixteen *rows = (const coach_sixteen *)(packed + 16 * k);
#pragma clang loop unroll(full)
    for (long unit = 0; unit < units; unit++) {
      coach_sixteen v = coach_repeated(w + unit * stride + k);
#pragma clang loop unroll(full)
      for (long four = 0; four < 4; four++) sums[unit][four] += v * rows[four];
    }
  }
#pragma clang loop unroll(full)
  for (long unit = 0; unit < units; unit++) {
#pragma clang loop unroll(full)
    for (long four = 0; four < 4; four++) {
      coach_put_quartet(out + 4 * four * out_stride + unit, out_stride, sums[unit][four], bias[unit]);
    }
  }
}

// As coach_products_of_8, of sixteen rows.
static COACH_AVX512 __attribute__((unused)) void coach_products_of_16(
    const float *packed, const float *w, long stride, long units, long width, const float *bias, float *out,
    long out_stride) {
  long unit = 0;
  for (; unit + 3 <= units; unit += 3) {
    coach_products_of_sixteen_with(3, packed, w + unit * stride, stride, width, bias + unit, out + unit, out_stride);
  }
  for (; unit < units; unit++) {
    coach_products_of_sixteen_with(1, packed, w + unit * stride, stride, width, bias + unit, out + unit, out_stride);
  }
}

// FloatKernels.squareRoot, sixteen at once.
static inline COACH_AVX512 __attribute__((always_inline)) coach_sixteen coach_square_root_of_sixteen(coach_sixteen x) {
  coach_sixteen half = x * 0.5f;
  coach_sixteen y = (coach_sixteen)(0x5F3759DFu - ((coach_sixteen_bits)x >> 1));
  y *= 1.5f - (half * y) * y;
  y *= 1.5f - (half * y) * y;
  y *= 1.5f - (half * y) * y;
  return x * y;
}

static inline COACH_AVX512 __attribute__((always_inline)) void coach_step_sixteen(
    float *w, float *m, float *v, coach_sixteen gradient, const struct coach_step *step) {
  coach_sixteen first = *(coach_sixteen *)m * step->first_kept + gradient * step->first_new;
  coach_sixteen second = *(coach_sixteen *)v * step->second_kept + gradient * gradient * step->second_new;
  *(coach_sixteen *)m = first;
  *(coach_sixteen *)v = second;
  coach_sixteen change =
      step->rate * first / (coach_square_root_of_sixteen(second * step->second_factor) + step->tiny);
  *(coach_sixteen *)w = *(coach_sixteen *)w * step->kept - change;
}

// As coach_step_32, of 64 weights of a unit.
static COACH_AVX512 __attribute__((unused)) void coach_step_64(
    float *w, float *m, float *v, const float *inputs, long stride, const float *factors, const int32_t *places,
    long count, const struct coach_step *step) {
  coach_sixteen s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
  for (long entry = 0; entry < count; entry++) {
    float factor = factors[entry];
    const float *row = inputs + places[entry] * stride;
    s0 += factor * *(const coach_sixteen *)row;
    s1 += factor * *(const coach_sixteen *)(row + 16);
    s2 += factor * *(const coach_sixteen *)(row + 32);
    s3 += factor * *(const coach_sixteen *)(row + 48);
  }
  coach_step_sixteen(w, m, v, s0, step);
  coach_step_sixteen(w + 16, m + 16, v + 16, s1, step);
  coach_step_sixteen(w + 32, m + 32, v + 32, s2, step);
  coach_step_sixteen(w + 48, m + 48, v + 48, s3, step);
}

typedef short coach_lanes __attribute__((vector_size(16), aligned(2), may_alias));
typedef uint64_t coach_words __attribute__((vector_size(16)));
typedef uint8_t coach_few_bytes __attribute__((vector_size(16)));

static inline COACH_AVX2 __attribute__((always_inline)) uint32_t coach_two_largest_of(coach_lanes seconds) {
  coach_lanes numbers = {0, 1, 2, 3, 4, 5, 6, 7}, judged = {0, -1, -1, -1, -1, -1, -1, -1};
  coach_lanes keys = (seconds << 3 | numbers) & judged;
  coach_lanes first = __builtin_ia32_phminposuw128(~keys);
  coach_lanes others = ~keys | (~keys == first[0]);
  coach_lanes second = __builtin_ia32_phminposuw128(others);
  return (uint32_t)(uint16_t)~first[0] << 16 | (uint16_t)~second[0];
}

// The two lanes of eight with most seconds in a window of at most 8,191 s, by the counts at its end and at its start: seconds
// times 8 plus the lane, the larger in the upper half. Lane 0 is left out; of lanes with as many the higher is larger.
static COACH_AVX2 __attribute__((unused)) uint32_t coach_two_largest(const void *end, const void *start) {
  return coach_two_largest_of(*(const coach_lanes *)end - *(const coach_lanes *)start);
}

// The same of a window whose seconds in each lane are the bytes of a word.
static COACH_AVX2 __attribute__((unused)) uint32_t coach_two_largest_of_bytes(uint64_t seconds) {
  coach_words word = {seconds, 0};
  coach_few_bytes bytes = (coach_few_bytes)word, none = {0};
  return coach_two_largest_of((coach_lanes)__builtin_shufflevector(
      bytes, none, 0, 16, 1, 16, 2, 16, 3, 16, 4, 16, 5, 16, 6, 16, 7, 16));
}

typedef uint8_t coach_bytes __attribute__((vector_size(64), aligned(1), may_alias));
typedef char coach_signs __attribute__((vector_size(64)));
typedef uint16_t coach_row __attribute__((vector_size(16), aligned(2), may_alias));

// Writes a row of eight counts every `row_seconds`: how many of the `count` heart rates before it lie in each of eight lanes.
// Those from `first[lane]` on lie in `lane` or above it; `first[0]` is 0, and the others are not. There are `lanes` of them.
static __attribute__((target("avx512f,avx512bw,popcnt"), unused)) void coach_count_rows(
    const uint8_t *held, long count, long row_seconds, const uint8_t *first, long lanes, void *rows) {
  coach_row sums = {0}, *row = (coach_row *)rows;
  coach_signs limit[8];
  uint64_t isLane[8];
  for (int lane = 0; lane < 8; lane++) {
    limit[lane] = (coach_signs)((coach_bytes){0} + (uint8_t)(lane < lanes ? first[lane] : 0));
    isLane[lane] = lane < lanes ? ~(uint64_t)0 : 0;
  }
  for (long start = 0; start < count; start += row_seconds) {
    *row++ = sums;
    long seconds = count - start < row_seconds ? count - start : row_seconds;
    // How many lie in a lane or above it.
    uint64_t above[8] = {(uint64_t)seconds};
    for (long place = 0; place < seconds; place += 64) {
      uint64_t isThere = seconds - place < 64 ? ((uint64_t)1 << (seconds - place)) - 1 : ~(uint64_t)0;
      coach_signs bytes = __builtin_ia32_loaddquqi512_mask(
          (const coach_signs *)(held + start + place), (coach_signs){0}, isThere);
#pragma clang loop unroll(full)
      for (int lane = 1; lane < 8; lane++) {
        // 5: not less than.
        uint64_t isAbove = __builtin_ia32_ucmpb512_mask(bytes, limit[lane], 5, ~(uint64_t)0) & isLane[lane];
        above[lane] += (uint64_t)__builtin_popcountll(isAbove);
      }
    }
    // Four counts of 16 bits in a word, none of which is less than that of the lane above it.
    uint64_t low = above[0] | above[1] << 16 | above[2] << 32 | above[3] << 48;
    uint64_t high = above[4] | above[5] << 16 | above[6] << 32 | above[7] << 48;
    coach_words words = {low - (low >> 16 | high << 48), high - (high >> 16)};
    sums += (coach_row)words;
  }
}
#else
// Other processors have the loops in Swift alone.
static inline void coach_count_rows(
    const uint8_t *held, long count, long row_seconds, const uint8_t *first, long lanes, void *rows) {}
static inline uint32_t coach_two_largest(const void *end, const void *start) { return 0; }
static inline uint32_t coach_two_largest_of_bytes(uint64_t seconds) { return 0; }
static inline int coach_vector_width(void) { return 4; }
static inline void coach_pack(const float *rows, long stride, long count, long width, float *packed) {}
static inline void coach_products_of_8(
    const float *packed, const float *w, long stride, long units, long width, const float *bias, float *out,
    long out_stride) {}
static inline void coach_products_of_16(
    const float *packed, const float *w, long stride, long units, long width, const float *bias, float *out,
    long out_stride) {}
static inline void coach_step_32(
    float *w, float *m, float *v, const float *inputs, long stride, const float *factors, const int32_t *places,
    long count, const struct coach_step *step) {}
static inline void coach_step_64(
    float *w, float *m, float *v, const float *inputs, long stride, const float *factors, const int32_t *places,
    long count, const struct coach_step *step) {}
#endif
#endif
