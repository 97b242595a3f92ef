package import TextFormats
internal import WorkoutSession

/// Which of several equal parts of a study.
package struct StudyShard: Hashable, Sendable {
  /// The most parts.
  package static let largestCount = 10_000

  /// Which part, from 1.
  package let number: Int
  /// How many parts there are.
  package let count: Int

  /// A part of a number of parts; `nil` when it is none of them.
  package init?(number: Int, count: Int) {
    guard (1...Self.largestCount).contains(count), (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  /// The checksum of the packed outcomes of this part; those of one part cannot pass for those of another.
  package func checksum(of texts: [String]) -> String {
    var hash = contentHash
    for text in texts { for byte in text.utf8 { hash.add(byte) } }
    return hash.hexadecimal
  }

  /// The beginning of the checksum.
  fileprivate var contentHash: ContentHash {
    var hash = ContentHash()
    hash.add(word: UInt64(number))
    hash.add(word: UInt64(count))
    return hash
  }

  /// The runners of this part of all of them; empty when there are more parts than runners.
  package func runners(of total: Int) -> Range<Int> { total * (number - 1) / count..<total * number / count }
}

/// A part of a study with everything that a merge needs: the whole study and the outcomes of some of its runners.
package struct StudyPart: Hashable, Sendable {
  /// The version of the format.
  package static let version = 1
  /// The largest part that is read, in bytes.
  package static let largestFile = 128 << 20
  /// The most values in a part, of which each runner is one.
  private static let largestValueCount = 2 << 20

  /// Which part.
  package let shard: StudyShard
  /// The outcomes of its runners.
  package let outcomes: StudyOutcomes

  /// Creates a part.
  package init(shard: StudyShard, outcomes: StudyOutcomes) {
    self.shard = shard
    self.outcomes = outcomes
  }

  /// Writes the part as one line of JSON; each runner is a text of six-bit digits.
  package func write(to writer: inout JSONWriter) {
    let study = outcomes.study
    let perRunner = StudyLayout(study).sessionsPerRunner
    writer.object { writer in
      writer.member("version", Self.version)
      writer.member("type", "studyPart")
      writer.member("program", Program.version)
      writer.member("studyHash", study.hash)
      writer.member("shard", shard.number)
      writer.member("of", shard.count)
      writer.key("study")
      study.write(to: &writer)
      var hash = shard.contentHash
      writer.array("outcomes") { writer in
        for runner in outcomes.runners.indices.map({ $0 - outcomes.runners.lowerBound }) {
          var packed = PackedNumbers()
          for session in outcomes.sessions[runner * perRunner..<(runner + 1) * perRunner] { packed.append(session) }
          for byte in packed.text.utf8 { hash.add(byte) }
          writer.value(packed.text)
        }
      }
      writer.member("checksum", hash.hexadecimal)
    }
    writer.endLine()
  }

  /// Reads a part.
  ///
  /// - Throws: `JSONError` when the text is no part, is cut short or was changed.
  package init(json bytes: Span<UInt8>) throws(JSONError) {
    let limits = JSONLimits(
      textBytes: Self.largestFile, tokenBytes: 4 << 20, depth: 16, values: Self.largestValueCount)
    var reader = try JSONObjectReader(try JSONValue.parse(bytes, limits: limits))
    try reader.requireVersion(Self.version)
    _ = try reader.required("type", .word(["studyPart": true]))
    let program = try reader.required("program", .string)
    guard program == Program.version else {
      throw reader.error(
        .notAllowed(JSONError.quoted(program)), expected: "a part of this version, \(Program.version)", about: "program"
      )
    }
    let hash = try reader.required("studyHash", .string)
    let number = try reader.required("shard", .int(in: 1...StudyShard.largestCount))
    let count = try reader.required("of", .int(in: 1...StudyShard.largestCount))
    let study = try reader.required(
      "study", JSONField("a study") { (value, path) throws(JSONError) in try Study(value, at: path) })
    guard study.hash == hash else {
      throw reader.error(
        .notAllowed(JSONError.quoted(hash)), expected: "the hash of the study in it, \(study.hash)", about: "studyHash")
    }
    guard let shard = StudyShard(number: number, count: count) else {
      throw reader.error(.notAllowed("\(number)"), expected: "a shard from 1 to \(count)", about: "shard")
    }
    let runners = shard.runners(of: study.runners)
    let texts = try reader.required(
      "outcomes", .array(of: .string, count: runners.count...runners.count))
    let checksum = shard.checksum(of: texts)
    guard try reader.required("checksum", .string) == checksum else {
      throw reader.error(
        .notAllowed("another number"), expected: "\(checksum), that of the outcomes", about: "checksum")
    }
    try reader.finish()
    let lengths = StudyLayout.sessionSeconds(study)
    var sessions: [RunOutcome] = []
    sessions.reserveCapacity(texts.count * lengths.count)
    for (runner, text) in zip(runners, texts) {
      var packed = PackedReader(text)
      let known = sessions.count
      for seconds in lengths {
        guard let outcome = packed.outcome(), outcome.isPossible(inSeconds: seconds) else { break }
        sessions.append(outcome)
      }
      guard packed.isAtEnd, sessions.count - known == lengths.count else {
        throw reader.error(
          .notAllowed("other ones for runner \(runner + 1)"), expected: "\(lengths.count) sessions that can be",
          about: "outcomes")
      }
    }
    self.init(shard: shard, outcomes: StudyOutcomes(study: study, runners: runners, sessions: sessions))
  }
}

extension StudyLayout {
  /// How long the sessions of a runner last, in seconds, in their order.
  fileprivate static func sessionSeconds(_ study: Study) -> [Int] {
    study.courses.flatMap { course in
      let coached = course.arms.map(\.seconds) + course.singleArms.map { course.arms[$0].seconds }
      return course.durations + study.behaviours.flatMap { _ in coached }
    }
  }
}

extension RunOutcome {
  /// Whether a session of a length can end so. Sums over runners rely on it.
  fileprivate func isPossible(inSeconds seconds: Int) -> Bool {
    let first = secondsToTarget.map { Int($0) }
    return (0...seconds).contains(Int(secondsInTarget)) && (0...secondsInTarget).contains(secondsInTargetAfterStart)
      && (first == nil) == (secondsInTarget == 0) && (0..<seconds).contains(first ?? 0)
      && directionalCues <= cues && followedCues <= directionalCues && directionChanges <= directionalCues
      && checksInTarget <= checks && midways <= checks && midwaysInTarget <= midways
      && rootMeanSquareErrorBPM ?? 0 >= 0 && overshootBPM >= 0
  }
}
