// Many bytes of a checksum of 16 bits (polynomial x^16 + x^15 + x^2 + 1, least significant bit first) folded into 64 that have the
// same one, by processors that multiply without carries.
#ifndef COACH_CHECKSUM_BLOCKS_H
#define COACH_CHECKSUM_BLOCKS_H

#include <stdint.h>
#include <string.h>

#define COACH_CHECKSUM_BLOCK 64

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

static inline int coach_folds_checksums(void) {
  unsigned int a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_PCLMUL) != 0;
}

// Folds `blocks` blocks of 64 bytes, at least one, to whose first word the checksum so far is added. Four times sixteen bytes are
// added to those 64 further on: the first half of sixteen times x^(512 + 64), the second times x^512, both modulo the polynomial
// and by one power less, since a product of numbers with reversed bits is one bit short.
//
// Source: Gopal et al. 2009, Fast CRC computation for generic polynomials using PCLMULQDQ instruction (Intel).
static inline __attribute__((target("pclmul"))) void coach_fold_checksum(
    const uint8_t *bytes, long blocks, uint64_t checksum, uint8_t *folded) {
  const __m128i powers = _mm_set_epi64x((long long)0x8101000000000000, (long long)0xC450000000000000);
  __m128i sums[4];
  for (int k = 0; k < 4; k++) sums[k] = _mm_loadu_si128((const __m128i *)bytes + k);
  sums[0] = _mm_xor_si128(sums[0], _mm_cvtsi64_si128((long long)checksum));
  for (long block = 1; block < blocks; block++) {
    bytes += COACH_CHECKSUM_BLOCK;
    for (int k = 0; k < 4; k++) {
      __m128i first = _mm_clmulepi64_si128(sums[k], powers, 0x00), second = _mm_clmulepi64_si128(sums[k], powers, 0x11);
      sums[k] = _mm_xor_si128(_mm_xor_si128(first, second), _mm_loadu_si128((const __m128i *)bytes + k));
    }
  }
  memcpy(folded, sums, sizeof sums);
}
#else
static inline int coach_folds_checksums(void) { return 0; }
static inline void coach_fold_checksum(const uint8_t *bytes, long blocks, uint64_t checksum, uint8_t *folded) {
  (void)bytes, (void)blocks, (void)checksum, (void)folded;
}
#endif
#endif
