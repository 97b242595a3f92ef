package import TextFormats
package import ZoneEngine

extension TrialPoint {
  /// Writes the members of the record of a decision point, after its head.
  package func write(to writer: inout JSONWriter) {
    writer.member("point", number)
    writer.member("pointAtSeconds", secondsFromNanoseconds: time.nanoseconds)
    writer.member("available", cue != nil)
    writer.member("cue", cue?.rawValue)
    writer.member("reason", reason?.rawValue)
    writer.member("probability", probability)
    writer.member("action", isGiven ? 1 : 0)
    writer.member("secondsSinceCue", secondsFromNanoseconds: sinceCue?.nanoseconds)
    writer.member("secondsOffTarget", secondsFromNanoseconds: offTarget.nanoseconds)
    writer.member("beatsOffTarget", beatsOff)
    writer.array("outcomes") { writer in
      for outcome in outcomes {
        writer.object { writer in
          writer.member("seconds", outcome.seconds)
          writer.member("secondsInTarget", secondsFromNanoseconds: outcome.inTarget.nanoseconds)
          writer.member("coveredSeconds", secondsFromNanoseconds: outcome.covered.nanoseconds)
        }
      }
    }
  }

  /// The point for people, longest first.
  package var texts: [String] {
    guard cue != nil else { return ["point \(number): no cue was available", "point \(number)"] }
    let drawn = isGiven ? "cue" : "silence"
    let outcome = outcomes.last.map { ": \(CueWording.measured($0.inTarget)) of \($0.seconds) s in target" } ?? ""
    return ["point \(number): \(drawn) drawn\(outcome)", "point \(number): \(drawn)"]
  }
}
