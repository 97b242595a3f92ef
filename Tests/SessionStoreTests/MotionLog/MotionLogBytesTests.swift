@testable import SessionStore
import Testing
import TextFormats
import WorkoutSession
@testable import WorkoutTestSupport

/// A log that was written once, of single readings and a block with few decimals, with many, and a reading that came late.
@Suite("The bytes of the log of motion in binary")
struct MotionLogBytesTests {
  private static let bytes = """
    636f6163686d746e0100000000000000b1013000ad06f9d300000000000000002effffffc0bfffab01000000feffff8b22d9ffffff33e4ffffff0149
    d3ffffbf2700000000000000b205730094f784089effffff81c801000000faffffff4084ffffffe459620200000000f0ffffbf403a0100000010e0c5
    7eb8ffffffc390080000000020feffff3fd69d36d069039dd6a4000000000009ffffb3aaaaaaaa4a31e0ffffbf4852e43002000000feffffb91b0000
    00000000fcffff70ffffffffffd32c
    """
  private static let text = """
    time,at_s,acc_x_g,acc_y_g,acc_z_g,gyro_x_rad_s,gyro_y_rad_s,gyro_z_rad_s,mag_x_ut,mag_y_ut,mag_z_ut
    2026-11-20T07:00:00Z,0,0.25,-1,7e-7,,,,20.5,0,-40
    2026-11-20T07:00:01.5Z,1.5,0.1,0.2,1,0,0,0,,,
    2026-11-20T07:00:01.52Z,1.52,0.11,0.2,1.01,0.5,0,0,,,
    2026-11-20T07:00:01.54Z,1.54,0.12,-0.2,0.3333333333333333,1,0,-1,,,
    2026-11-20T07:00:01.56Z,1.56,0.13,0.2,100000,1.5,0,2.25,,,
    2026-11-20T07:00:01.4Z,1.4,9,9,9,,,,,,

    """

  /// The same rows.
  private static let rows: [MotionRow] = {
    func row(_ milliseconds: Int64, _ acceleration: Axes, _ rotation: Axes? = nil, _ field: Axes? = nil) -> MotionRow {
      let at = milliseconds * 1_000_000
      return MotionRow(
        stamp: 1_795_158_000_000_000_000 + at, at: at,
        reading: MotionReading(acceleration: acceleration, rotationRate: rotation, magneticField: field))
    }
    return [
      row(0, Axes(x: 0.25, y: -1, z: 7e-7), nil, Axes(x: 20.5, y: 0, z: -40)),
      row(1_500, Axes(x: 0.1, y: 0.2, z: 1), Axes(x: 0, y: 0, z: 0)),
      row(1_520, Axes(x: 0.11, y: 0.2, z: 1.01), Axes(x: 0.5, y: 0, z: 0)),
      row(1_540, Axes(x: 0.12, y: -0.2, z: 0.3333333333333333), Axes(x: 1, y: 0, z: -1)),
      row(1_560, Axes(x: 0.13, y: 0.2, z: 100_000), Axes(x: 1.5, y: 0, z: 2.25)),
      row(1_400, Axes(x: 9, y: 9, z: 9)),
    ]
  }()

  @Test("They are the same as those that were written before, and are read as the rows that they were written of")
  func same() throws {
    let hexadecimal = Self.bytes.filter { !$0.isWhitespace }
    let log = MotionLogFixture.log(Self.rows) { .max }
    #expect(log.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == hexadecimal)
    let (text, reader) = try MotionLogFixture.read(log.bytes)
    #expect(String(decoding: text, as: UTF8.self) == Self.text)
    #expect(reader.problems.isEmpty)
  }
}
