/// Makes the bytes of `motion.bin` of rows as they come.
///
/// Its memory is that of a frame, whatever the length of the session.
struct MotionLogWriter {
  private var rows = MotionRowCode()
  private var bits = BitWriter()
  private var frameRows = 0
  private var blockRows = 0
  private var checksum: UInt32 = 0

  /// How many bytes wait for ``endFrame(into:)``.
  var waitingBytes: Int { frameRows == 0 ? 0 : MotionLogFrame.headBytes + bits.bytes.count + 1 }

  /// Takes a row, whose number in the log is given, and appends the frames that are full.
  mutating func append(_ row: MotionRow, number: Int, to bytes: inout [UInt8]) {
    if blockRows == MotionLogFrame.blockRows {
      endFrame(into: &bytes)
      beginBlock()
    }
    if blockRows == 0 { bits.write(UInt64(number), 8 * MotionLogFrame.rowNumberBytes) }
    rows.write(row, to: &bits)
    frameRows += 1
    blockRows += 1
    if blockRows == 1 || frameRows == MotionLogFrame.mostRows { endFrame(into: &bytes) }
  }

  /// Appends the rows that wait as a frame; nothing where none does.
  mutating func endFrame(into bytes: inout [UInt8]) {
    guard frameRows > 0 else { return }
    let kind = blockRows == frameRows ? MotionLogFrame.beginsAnew : MotionLogFrame.goesOn
    checksum = MotionLogFrame.append(kind, rows: frameRows, bits.take(), after: checksum, to: &bytes)
    frameRows = 0
  }

  /// Forgets what waits, and goes on with a new block, because somebody else wrote the file so far.
  mutating func goOn() {
    bits = BitWriter()
    frameRows = 0
    beginBlock()
  }

  private mutating func beginBlock() {
    rows = MotionRowCode()
    blockRows = 0
  }
}
