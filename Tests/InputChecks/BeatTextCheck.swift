extension InputCheck {
  /// Texts of intervals between beats: plain lists, and Polar's HRM.
  package static let beatTexts = InputCheck(
    name: "beat-texts", longestInput: 2_048, seeds: BeatTextSeeds.all,
    violation: { bytes in OpenedRecording(bytes).violation(byteCount: bytes.count) },
    isUsable: { bytes in OpenedRecording(bytes).record != nil })
}

/// Lists and HRM texts, small.
enum BeatTextSeeds {
  static let all = [
    InputCheck.Seed(
      "milliseconds", "RR [ms]\n812\n798.5\n# a note\n\n805\r\n0\n1000000000\n-5\n790\n801\n802\n803\n804\nword\n"),
    InputCheck.Seed("seconds", "0.812\n0,798\n0.805\n3.1\n"),
    InputCheck.Seed("named", "\u{FEFF}ibi\n600\n601\n602\n603\n"),
    InputCheck.Seed(
      "polar-beats",
      "[Params]\r\nVersion=106\r\nMonitor=12\r\nSMode=000000000\r\nDate=20260301\r\nStartTime=10:21:26.0\r\nInterval=238\r\n"
        + "\r\n[Note]\r\nx\r\n\r\n[HRData]\r\n812\r\n798\r\n"),
    InputCheck.Seed(
      "polar-heart-rates",
      "[Params]\nSMode=110000010\nDate=20260301\nStartTime=9:21:26.0\nInterval=5\n[HRData]\n120\t100\t80\n0\t101\t80\n"),
    InputCheck.Seed("polar-without-date", "[Params]\nInterval=1\n[HRData]\n120\n121\n"),
  ]
}
