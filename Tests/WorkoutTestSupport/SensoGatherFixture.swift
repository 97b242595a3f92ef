/// Recordings in the layout of SensoGather, made here.
enum SensoGather {
  static let columns = [
    "timestamp", "accelX", "accelY", "accelZ", "gyroX", "gyroY", "gyroZ", "magX", "magY", "magZ", "heartbeat",
    "latitude",
    "longitude", "coordinateAccuracy", "altitude", "altitudeAccuracy", "speed", "speedAccuracy", "course",
    "courseAccuracy", "heading", "headingAccuracy",
  ]

  /// A row with a value in every column.
  static let full: [String: String] = [
    "timestamp": "1795158000.25", "accelX": "0.01", "accelY": "-1", "accelZ": "0.98", "gyroX": "0.1", "gyroY": "-0.2",
    "gyroZ": "1e-3", "magX": "20.5", "magY": "-1", "magZ": "40", "heartbeat": "120", "latitude": "46.77",
    "longitude": "23.59", "coordinateAccuracy": "4.5", "altitude": "-12.5", "altitudeAccuracy": "3", "speed": "2.5",
    "speedAccuracy": "0.5", "course": "180", "courseAccuracy": "5", "heading": "181", "headingAccuracy": "10",
  ]

  /// A full row with other values in some columns.
  static func row(_ changes: [String: String] = [:]) -> [String: String] {
    full.merging(changes) { _, new in new }
  }

  /// Rows at 100 Hz in which the heart rate is repeated until the next second.
  static func rows(seconds: Int) -> [[String: String]] {
    (0..<seconds * 100).map { index in
      let hundredths = index % 100
      return row([
        "timestamp": "\(1_795_158_000 + index / 100).\(hundredths < 10 ? "0" : "")\(hundredths)",
        "heartbeat": "\(120 + index / 100)", "accelX": "\(Double(index % 7) / 8)",
      ])
    }
  }

  static func csv(_ rows: [[String: String]], columns: [String] = columns) -> String {
    ([columns.joined(separator: ",")] + rows.map { row in columns.map { row[$0] ?? "" }.joined(separator: ",") })
      .map { $0 + "\n" }.joined()
  }

  /// The same as JSON: numbers as numbers or in quotes, the rest in quotes.
  static func json(_ rows: [[String: String]], columns: [String] = columns, quoted: Bool = false) -> String {
    let objects = rows.map { row in
      let members = columns.compactMap { column in
        row[column].map { value in
          let isPlain = !quoted && (Double(value) != nil || value == "null")
          return "\"\(column)\":" + (isPlain ? value : "\"\(value.replacing("/", with: "\\/"))\"")
        }
      }
      return "{" + members.joined(separator: ",") + "}"
    }
    return "[" + objects.joined(separator: ",\n") + "]"
  }
}
