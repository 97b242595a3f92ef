internal import TextFormats
internal import ZoneEngine

extension LiveLine {
  /// Reads what a motion line measured: one reading, or the first of a block and all of it.
  static func motion(_ reader: inout JSONObjectReader) throws(JSONError) -> (first: MotionReading, block: MotionBlock?)
  {
    for key in motionKeys where reader.has(key) {
      if try reader.required(key, reader.has("rateHz") ? holdsNoNumber : holdsBlock) { return try block(&reader) }
    }
    let acceleration = try reader.optional("acceleration", axes)
    let rotationRate = try reader.optional("rotationRate", axes)
    let magneticField = try reader.optional("magneticField", axes)
    guard acceleration != nil || rotationRate != nil || magneticField != nil else {
      throw reader.error(.missingKey, expected: "acceleration, rotationRate or magneticField", about: "acceleration")
    }
    return (
      MotionReading(acceleration: acceleration, rotationRate: rotationRate, magneticField: magneticField), nil
    )
  }

  private static func block(
    _ reader: inout JSONObjectReader
  ) throws(JSONError) -> (first: MotionReading, block: MotionBlock?) {
    let rateHz = try reader.required("rateHz", .double(in: MotionBlock.ratesHz))
    var columns: [[Axes]?] = []
    var count: Int?
    for key in motionKeys {
      let column = try reader.optional(key, manyAxes)
      if let column, let count, column.count != count {
        throw reader.error(
          .notAllowed("\(column.count)"), expected: "as many as in the array before: \(count)", about: key)
      }
      count = count ?? column?.count
      columns.append(column)
    }
    let readings = (0..<(count ?? 0)).map { index in
      MotionReading(
        acceleration: columns[0]?[index], rotationRate: columns[1]?[index], magneticField: columns[2]?[index])
    }
    guard let first = readings.first, let block = MotionBlock(readings, rateHz: rateHz) else {
      throw reader.error(
        .notAllowed("\(readings.count)"), expected: "at most \(MotionBlock.longest.seconds) s of samples",
        about: "rateHz")
    }
    return (first, block)
  }

  private static let motionKeys = ["acceleration", "rotationRate", "magneticField"]
  /// Whether an array holds arrays, one of each sample of a block.
  private static let holdsBlock = JSONField<Bool>("an array of numbers, or of arrays") { value in
    value.array?.first.map { $0.array != nil } ?? false
  }
  /// Whether an array holds arrays, or nothing at all: beside a rate that is a block without samples.
  private static let holdsNoNumber = JSONField<Bool>("an array of numbers, or of arrays") { value in
    value.array.map { $0.isEmpty || $0[0].array != nil } ?? false
  }
  private static let axes = JSONField<[Double]>.array(of: number, count: 3...3)
    .mapped(to: "an array of three numbers") { Axes(x: $0[0], y: $0[1], z: $0[2]) }
  private static let manyAxes = JSONField<[Axes]>.array(of: axes, count: MotionBlock.counts)
}
