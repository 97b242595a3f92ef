/// Small JSON arrays with the columns of SensoGather.
enum SensoGatherSeeds {
  static let all = [
    InputCheck.Seed("numbers", array([row(0), row(1), row(2)])),
    InputCheck.Seed("texts", array([row(0, heartRate: "\"120\""), row(1, heartRate: "\"N/A\"")])),
    InputCheck.Seed("absent", array([row(0, heartRate: "-1"), row(1, heartRate: "null"), row(2)])),
    InputCheck.Seed("out-of-order", array([row(2), row(0), row(1)])),
    InputCheck.Seed("nested", "\u{FEFF} [ {\"a\":{\"b\":[1,\"]}\"]},\"timestamp\":1795158000,\"heartbeat\":120} ]\n"),
    InputCheck.Seed("cut-short", String(array([row(0), row(1), row(2)]).dropLast(40))),
  ]

  private static func row(_ second: Int, heartRate: String = "120") -> String {
    """
    {"timestamp":\(1_795_158_000 + second).25,"accelX":0.01,"accelY":-1,"accelZ":0.98,"heartbeat":\(heartRate),\
    "latitude":46.77,"longitude":23.59,"coordinateAccuracy":4.5,"altitude":"N/A","speed":2.5}
    """
  }

  private static func array(_ rows: [String]) -> String { "[" + rows.joined(separator: ",\n") + "]" }
}
