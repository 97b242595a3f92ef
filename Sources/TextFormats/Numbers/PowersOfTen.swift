/// The powers of ten that integers and doubles represent exactly.
enum PowersOfTen {
  private static let integers: InlineArray<20, UInt64> = [
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000,
    10_000_000_000, 100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000,
    1_000_000_000_000_000, 10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000,
    10_000_000_000_000_000_000,
  ]

  private static let doubles: InlineArray<23, Double> = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
    1e20, 1e21, 1e22,
  ]

  /// The first 64 bits of 10 to the -1, -2, … -19, rounded down.
  private static let reciprocals: InlineArray<19, UInt64> = [
    0xCCCCCCCCCCCCCCCC, 0xA3D70A3D70A3D70A, 0x83126E978D4FDF3B, 0xD1B71758E219652B, 0xA7C5AC471B478423,
    0x8637BD05AF6C69B5, 0xD6BF94D5E57A42BC, 0xABCC77118461CEFC, 0x89705F4136B4A597, 0xDBE6FECEBDEDD5BE,
    0xAFEBFF0BCB24AAFE, 0x8CBCCC096F5088CB, 0xE12E13424BB40E13, 0xB424DC35095CD80F, 0x901D7CF73AB0ACD9,
    0xE69594BEC44DE15B, 0xB877AA3236A4B449, 0x9392EE8E921D5D07, 0xEC1E4A7DB69561A5,
  ]

  /// The first 64 bits of 10 to the minus `power`, rounded down, for 1…19.
  static func reciprocal(_ power: Int) -> UInt64 { reciprocals[power - 1] }

  /// 10 to the `power`, for 0…19.
  static func integer(_ power: Int) -> UInt64 { integers[power] }

  /// 10 to the `power`, for 0…22.
  static func double(_ power: Int) -> Double { doubles[power] }
}
