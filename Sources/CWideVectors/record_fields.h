// Whole numbers of one, two or four bytes that stand anywhere in a record of bytes, as those of FIT do, eight at once by
// processors with AVX2.
#ifndef COACH_RECORD_FIELDS_H
#define COACH_RECORD_FIELDS_H

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

static inline int32_t coach_word(const uint8_t *record, uint32_t offset) {
  int32_t word;
  memcpy(&word, record + offset, sizeof word);
  return word;
}

// Reads eight numbers as four times eight words of a plan say:
// - from which offset on each stands within four bytes of the record;
// - its mark of absence, as it is written, which is not a number;
// - its uppermost bit where it has a sign, else nothing;
// - which of the sixteen bytes of four numbers in a row stands at each of its bytes, the least significant one first; 0x80 for none.
static inline __attribute__((target("avx2"))) void coach_read_fields(
    const uint8_t *record, const uint32_t *plan, double *numbers) {
  const __m256i exponent = _mm256_set1_epi64x(0x4330000000000000);
  const __m256d none = _mm256_set1_pd(__builtin_nan(""));
  __m256i words = _mm256_set_epi32(
      coach_word(record, plan[7]), coach_word(record, plan[6]), coach_word(record, plan[5]),
      coach_word(record, plan[4]), coach_word(record, plan[3]), coach_word(record, plan[2]),
      coach_word(record, plan[1]), coach_word(record, plan[0]));
  __m256i flipped = _mm256_loadu_si256((const __m256i *)(plan + 16));
  words = _mm256_shuffle_epi8(words, _mm256_loadu_si256((const __m256i *)(plan + 24)));
  __m256i absent = _mm256_cmpeq_epi32(words, _mm256_loadu_si256((const __m256i *)(plan + 8)));
  words = _mm256_xor_si256(words, flipped);
  for (int half = 0; half < 2; half++) {
    // Two to the power of 52 and a number below that of 32 is a number whose last bits are the latter; with a flipped sign
    // it is by two to the power of 31 too large.
    __m128i four = half ? _mm256_extracti128_si256(words, 1) : _mm256_castsi256_si128(words);
    __m128i signs = half ? _mm256_extracti128_si256(flipped, 1) : _mm256_castsi256_si128(flipped);
    __m128i gone = half ? _mm256_extracti128_si256(absent, 1) : _mm256_castsi256_si128(absent);
    __m256d raised = _mm256_castsi256_pd(_mm256_or_si256(_mm256_cvtepu32_epi64(four), exponent));
    __m256d base = _mm256_castsi256_pd(_mm256_or_si256(_mm256_cvtepu32_epi64(signs), exponent));
    __m256d mask = _mm256_castsi256_pd(_mm256_cvtepi32_epi64(gone));
    _mm256_storeu_pd(numbers + 4 * half, _mm256_blendv_pd(_mm256_sub_pd(raised, base), none, mask));
  }
}
#else
// Never called: `coach_vector_width` says that there are no wide vectors.
static inline void coach_read_fields(const uint8_t *record, const uint32_t *plan, double *numbers) {
  (void)record, (void)plan, (void)numbers;
}
#endif
#endif
