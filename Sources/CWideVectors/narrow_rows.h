// Rows of a time and two numbers at most, such as `1770000000,120,3.56`, read 32 bytes at a time by processors with AVX2. How
// the bytes of a row go to their places is found once for each shape of a row (which of its bytes are separators and
// points), and rows of a table have few shapes; then all digits of a row become numbers at once.
#ifndef COACH_NARROW_ROWS_H
#define COACH_NARROW_ROWS_H

#include <stdint.h>
#include <string.h>

// Where rows go, each to its place in all of these: its time in nanoseconds, both numbers (not a number where there is no
// such column), and the index behind its line feed.
struct coach_narrow_rows {
  int64_t *nanoseconds;
  double *first, *second;
  long *next;
};

// Where the digits of rows of one shape go: the time into the first 16 of 32 places, the numbers into 8 each.
struct coach_row_shape {
  // Its separators and the end of its line, a bit each, below its points; 0 while there is none.
  uint64_t key;
  double divisors[2];
  // How many nanoseconds the last digit of the time stands for, and the most digits that are a time.
  uint64_t scale, largest;
  // 0 for rows that have to be read otherwise.
  uint64_t is_narrow;
  // Which byte of the first and of the second half of 32 stands at each place; 0x80 for none.
  uint8_t low[32], high[32];
};

// Two to the power of eight.
#define COACH_ROW_SHAPES 256
// How many places a shape may stand at.
#define COACH_SHAPE_PROBES 8
// The most columns, and how many bytes from its first on have to be there to read a row.
#define COACH_NARROW_COLUMNS 3
#define COACH_NARROW_ROOM 32

// The shapes that were seen in a table: nothing is known of it before `coach_begin_shapes`.
struct coach_row_shapes {
  struct coach_row_shape shapes[COACH_ROW_SHAPES];
  // The column's number: 0 the time, 1 and 2 the numbers.
  uint8_t slots[COACH_NARROW_COLUMNS];
  uint8_t separator;
  int32_t columns;
};

// How many bytes the shapes take. Swift knows no more of them: it would look at each of their bytes as a value of its own.
static inline long coach_shapes_size(void) { return sizeof(struct coach_row_shapes); }

// Forgets all shapes, and takes a table of at least one and at most three columns, each with a slot of its own.
static inline void coach_begin_shapes(void *memory, const uint8_t *slots, int32_t columns, uint8_t separator) {
  struct coach_row_shapes *shapes = memory;
  for (int k = 0; k < COACH_ROW_SHAPES; k++) shapes->shapes[k].key = 0;
  memcpy(shapes->slots, slots, (size_t)columns);
  shapes->separator = separator;
  shapes->columns = columns;
}

// Finds the places of rows of a shape.
static inline void coach_learn_shape(
    const struct coach_row_shapes *shapes, uint64_t key, struct coach_row_shape *shape) {
  static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};
  const uint32_t tops[] = {15, 23, 31}, mosts[] = {15, 8, 8};
  uint32_t ends = (uint32_t)key, all_points = (uint32_t)(key >> 32), begin = 0;
  memset(shape, 0, sizeof *shape);
  memset(shape->low, 0x80, sizeof shape->low);
  memset(shape->high, 0x80, sizeof shape->high);
  shape->key = key;
  shape->divisors[0] = shape->divisors[1] = __builtin_nan("");
  for (int32_t column = 0; column < shapes->columns; column++) {
    if (ends == 0) return;
    uint32_t end = (uint32_t)__builtin_ctz(ends), slot = shapes->slots[column];
    ends &= ends - 1;
    uint32_t points = (all_points >> begin) & ((1u << (end - begin)) - 1);
    uint32_t figures = end - begin - (points != 0);
    if ((points & (points - 1)) != 0 || end == begin || figures == 0 || figures > mosts[slot]) return;
    uint32_t point = points == 0 ? end : begin + (uint32_t)__builtin_ctz(points), place = tops[slot];
    for (uint32_t source = end; source-- > begin;) {
      if (source == point) continue;
      if (source < 16) shape->low[place] = (uint8_t)source;
      else shape->high[place] = (uint8_t)(source - 16);
      place--;
    }
    uint32_t decimals = points == 0 ? 0 : end - 1 - point;
    if (decimals > 9) return;
    if (slot == 0) shape->scale = powers[9 - decimals];
    else shape->divisors[slot - 1] = (double)powers[decimals];
    begin = end + 1;
  }
  shape->largest = INT64_MAX / shape->scale;
  shape->is_narrow = ends == 0;
}

// The shape of a key; none where rows of it have to be read otherwise.
static inline const struct coach_row_shape *coach_find_shape(struct coach_row_shapes *shapes, uint64_t key) {
  uint32_t place = (uint32_t)((key * 0x9E3779B97F4A7C15) >> 56);
  for (int probe = 0; probe < COACH_SHAPE_PROBES; probe++) {
    struct coach_row_shape *shape = &shapes->shapes[(place + (uint32_t)probe) & (COACH_ROW_SHAPES - 1)];
    if (shape->key == 0) coach_learn_shape(shapes, key, shape);
    if (shape->key == key) return shape->is_narrow ? shape : 0;
  }
  return 0;
}

#if defined(__x86_64__)
#include <immintrin.h>

// Reads rows of a text of `count` bytes from `start` on, at most `most`, until one comes that has to be read otherwise: with a
// sign, an empty field, other signs than digits and points, more than 15 digits of a time or 8 of a number, a time of more
// than 292 years, an end that is not within 32 bytes, or too near to the end of the text. Returns how many there are.
static inline __attribute__((target("avx2"))) long coach_read_narrow_rows(
    const uint8_t *text, long start, long count, void *memory, struct coach_narrow_rows rows, long most) {
  struct coach_row_shapes *shapes = memory;
  const __m256i zeros = _mm256_set1_epi8('0'), nines = _mm256_set1_epi8(9), points = _mm256_set1_epi8('.');
  const __m256i feeds = _mm256_set1_epi8('\n'), separators = _mm256_set1_epi8((char)shapes->separator);
  const __m256i tens = _mm256_set1_epi16(0x010A), hundreds = _mm256_set1_epi32(0x00010064);
  const __m256i myriads = _mm256_set1_epi32(0x00012710);
  long read = 0, at = start;
  while (read < most && at <= count - COACH_NARROW_ROOM) {
    __m256i bytes = _mm256_loadu_si256((const __m256i *)(text + at)), digits = _mm256_sub_epi8(bytes, zeros);
    uint32_t ends = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, feeds));
    if (ends == 0) break;
    uint32_t feed = (uint32_t)__builtin_ctz(ends), end = feed;
    if (feed > 0 && text[at + feed - 1] == '\r') end = feed - 1;
    uint32_t below = (1u << end) - 1;
    uint32_t others = ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(digits, nines), digits)) & below;
    uint32_t parted = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, separators)) & below;
    uint32_t pointed = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, points)) & below;
    if (others != (parted | pointed)) break;
    const struct coach_row_shape *shape =
        coach_find_shape(shapes, (uint64_t)pointed << 32 | parted | (uint32_t)1 << end);
    if (shape == 0) break;
    __m256i low = _mm256_permute2x128_si256(digits, digits, 0x00), high = _mm256_permute2x128_si256(digits, digits, 0x11);
    __m256i placed = _mm256_or_si256(
        _mm256_shuffle_epi8(low, _mm256_loadu_si256((const __m256i *)shape->low)),
        _mm256_shuffle_epi8(high, _mm256_loadu_si256((const __m256i *)shape->high)));
    // Numbers of two digits, of four, and of eight.
    __m256i twos = _mm256_maddubs_epi16(placed, tens), fours = _mm256_madd_epi16(twos, hundreds);
    __m256i eights = _mm256_madd_epi16(_mm256_packus_epi32(fours, fours), myriads);
    uint64_t halves = (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(eights));
    uint64_t time = (halves & 0xFFFFFFFF) * 100000000 + (halves >> 32);
    if (time > shape->largest) break;
    __m128d numbers = _mm_cvtepi32_pd(_mm256_extracti128_si256(eights, 1));
    numbers = _mm_div_pd(numbers, _mm_loadu_pd(shape->divisors));
    rows.nanoseconds[read] = (int64_t)(time * shape->scale);
    _mm_storel_pd(&rows.first[read], numbers);
    _mm_storeh_pd(&rows.second[read], numbers);
    at += feed + 1;
    rows.next[read] = at;
    read++;
  }
  return read;
}
#else
static inline long coach_read_narrow_rows(
    const uint8_t *text, long start, long count, void *memory, struct coach_narrow_rows rows, long most) {
  (void)text, (void)start, (void)count, (void)memory, (void)rows, (void)most;
  return 0;
}
#endif

#endif
