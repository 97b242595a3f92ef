internal import SessionStore
internal import TextFormats
package import WorkoutSession
package import ZoneEngine

/// A decision point of a trial with whose it is, as a row of a table.
package struct TrialRow: Hashable, Sendable {
  /// The SHA-256 of the protocol.
  package let protocolHash: String
  /// Whose session it was: what distinguishes people, each of whom is one however many sessions they have.
  package let participant: String
  /// The session.
  package let session: String
  /// What kind of session it was.
  package let setting: TrialSetting
  /// The number of the point in the session, from 1.
  package let number: Int
  /// When it was, in seconds of the session.
  package let atSeconds: Double
  /// Whether a cue was available.
  package let isAvailable: Bool
  /// The cue that was available, else why none was.
  package let word: String
  /// The probability of the cue; 0 where none was available.
  package let probability: Double
  /// Whether it was given.
  package let isGiven: Bool
  /// Seconds since the last cue; absent before the first.
  package let secondsSinceCue: Double?
  /// Seconds off the target since the point before.
  package let secondsOffTarget: Double
  /// How far the heart rate was off the target, in bpm; absent where it is not known.
  package let beatsOffTarget: Int?
  /// Seconds in the target, and covered, by the seconds after the point.
  package let outcomes: [Int: Outcome]

  /// What came after a point.
  package struct Outcome: Hashable, Sendable {
    package let secondsInTarget, coveredSeconds: Double
  }

  /// A row of a point.
  package init(
    _ point: TrialPoint, protocolHash: String, participant: String, session: String, setting: TrialSetting
  ) {
    self.protocolHash = protocolHash
    self.participant = participant
    self.session = session
    self.setting = setting
    number = point.number
    atSeconds = point.time.seconds
    isAvailable = point.cue != nil
    word = point.cue?.rawValue ?? point.reason?.rawValue ?? ""
    probability = point.probability
    isGiven = point.isGiven
    secondsSinceCue = point.sinceCue?.seconds
    secondsOffTarget = point.offTarget.seconds
    beatsOffTarget = point.beatsOff
    outcomes = Dictionary(
      uniqueKeysWithValues: point.outcomes.map {
        ($0.seconds, Outcome(secondsInTarget: $0.inTarget.seconds, coveredSeconds: $0.covered.seconds))
      })
  }

  /// Whether the cue had the probability that a protocol gives it, up to what a table of another program rounds; so too where none
  /// was available.
  package func isDrawn(by trial: TrialProtocol) -> Bool {
    guard isAvailable else { return true }
    let stated = trial.probability.value(
      secondsSinceCue: secondsSinceCue ?? atSeconds, secondsOffTarget: secondsOffTarget)
    return (probability - stated).magnitude <= 1e-6
  }

  /// The value of a covariate; absent where it is not known.
  func value(of covariate: TrialProtocol.Covariate) -> Double? {
    switch covariate {
    case .secondsSinceCue: secondsSinceCue ?? atSeconds
    case .secondsOffTarget: secondsOffTarget
    case .beatsOffTarget: beatsOffTarget.map { Double($0.magnitude) }
    case .point: Double(number)
    }
  }
}

/// The rows of a trial as a CSV for R, Python and the like.
package enum TrialTable {
  private static let columns = [
    "protocol_sha256", "participant", "session", "activity", "behaviour", "arm", "point", "at_s", "available", "cue",
    "probability", "action", "seconds_since_cue", "seconds_off_target", "beats_off_target",
  ]

  private static func outcomeColumns(of seconds: [Int]) -> [String] {
    seconds.flatMap { ["seconds_in_target_\($0)", "covered_seconds_\($0)"] }
  }

  /// The text of a table; unknown values are empty.
  package static func csv(_ rows: [TrialRow], outcomeSeconds: [Int]) -> [UInt8] {
    var text = (columns + outcomeColumns(of: outcomeSeconds)).joined(separator: ",") + "\n"
    func number(_ value: Double?) -> String {
      guard let value else { return "" }
      return value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : "\(value)"
    }
    func quoted(_ text: String) -> String {
      // By scalars: with an accent behind it a quote is no character of its own.
      "\"" + String(String.UnicodeScalarView(text.unicodeScalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] })) + "\""
    }
    for row in rows {
      var cells = [
        row.protocolHash, quoted(row.participant), quoted(row.session), quoted(row.setting.activity),
        quoted(row.setting.behaviour), quoted(row.setting.arm), "\(row.number)", number(row.atSeconds),
        row.isAvailable ? "1" : "0", row.word, number(row.probability), row.isGiven ? "1" : "0",
        number(row.secondsSinceCue), number(row.secondsOffTarget), row.beatsOffTarget.map { "\($0)" } ?? "",
      ]
      for seconds in outcomeSeconds {
        cells += [number(row.outcomes[seconds]?.secondsInTarget), number(row.outcomes[seconds]?.coveredSeconds)]
      }
      text += cells.joined(separator: ",") + "\n"
    }
    return Array(text.utf8)
  }

  /// Why a table or a session gives no rows.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line.
    package let description: String
  }

  /// Reads a table that ``csv(_:outcomeSeconds:)`` has written.
  ///
  /// - Throws: ``Problem`` with the line.
  package static func rows(of bytes: [UInt8], path: String) throws(Problem) -> [TrialRow] {
    let lines = lines(of: bytes)
    let head = cells(of: lines.first ?? [])
    guard Array(head.prefix(columns.count)) == columns else {
      throw Problem(description: "\(path): line 1: expected the columns of a table of decision points")
    }
    // Columns that somebody has added behind are read past.
    let pairs = head.indices.dropFirst(columns.count).compactMap { first -> (first: Int, span: Int)? in
      guard let span = Int(head[first].replacing("seconds_in_target_", with: "")),
        Array(head[first...].prefix(2)) == outcomeColumns(of: [span])
      else { return nil }
      return (first, span)
    }
    var rows: [TrialRow] = []
    for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      let cells = cells(of: line)
      func problem(_ text: String) -> Problem { Problem(description: "\(path): line \(index + 1): \(text)") }
      guard cells.count == head.count else {
        throw problem("expected \(head.count) values, found \(cells.count)")
      }
      guard let number = Int(cells[6]), number > 0, let at = seconds(cells[7]), let probability = Double(cells[10]),
        let off = seconds(cells[13]), ["0", "1"].contains(cells[8]), ["0", "1"].contains(cells[11]),
        cells[8] == "0" ? cells[11] == "0" : probability > 0 && probability < 1,
        cells[12].isEmpty || seconds(cells[12]) != nil, cells[14].isEmpty || Int(cells[14]) != nil
      else { throw problem("expected a decision point") }
      var outcomes: [Int: TrialRow.Outcome] = [:]
      for (first, span) in pairs where !cells[first].isEmpty || !cells[first + 1].isEmpty {
        guard let covered = seconds(cells[first + 1], atMost: Double(span)),
          let inside = seconds(cells[first], atMost: covered)
        else {
          throw problem("\(head[first]): expected seconds within those that are covered, of 0 to \(span)")
        }
        outcomes[span] = TrialRow.Outcome(secondsInTarget: inside, coveredSeconds: covered)
      }
      rows.append(
        TrialRow(
          protocolHash: cells[0], participant: cells[1], session: cells[2],
          setting: TrialSetting(activity: cells[3], behaviour: cells[4], arm: cells[5]), number: number, atSeconds: at,
          isAvailable: cells[8] == "1", word: cells[9], probability: probability, isGiven: cells[11] == "1",
          secondsSinceCue: Double(cells[12]), secondsOffTarget: off, beatsOffTarget: Int(cells[14]),
          outcomes: outcomes))
    }
    return rows
  }

  /// The rows of a session of ours, judged again by its manifest, so that a changed record changes nothing, and whether it
  /// names a person. One that names none is of the folder in which it lies, as in a comparison: sessions whose person is not
  /// known are not as many people.
  ///
  /// - Throws: ``Problem`` for a session without a trial, what reading its logs throws.
  package static func rows(ofSession path: String) throws -> (rows: [TrialRow], isOfKnownPerson: Bool) {
    let recording = try SessionFolderRecording(path: path)
    let manifest = recording.manifest
    guard let assigned = manifest.request.trial else {
      throw Problem(description: "\(path): a session without a trial: expected one that was made with --trial")
    }
    let person =
      manifest.who.map { SessionPerson.key(profileID: $0.profileID, name: $0.name) }
      ?? FileSystem.folder(of: tidy(path))
    let setting = TrialSetting(of: manifest)
    var rows: [TrialRow] = []
    _ = try Replay.run(recording, settings: try recording.settings(), pace: .events) { _, events in
      for case .engine(.trialPoint(_, let point)) in events {
        rows.append(
          TrialRow(
            point, protocolHash: assigned.trial.hash, participant: person, session: manifest.sessionID,
            setting: setting))
      }
    }
    return (rows.sorted { $0.number < $1.number }, manifest.who != nil)
  }

  /// The path without what changes nothing in it: `./` and doubled slashes.
  private static func tidy(_ path: String) -> String {
    let names = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    return path.hasPrefix("/") ? "/" + names : names
  }

  /// Seconds from 0 on, up to a most that they may pass by what rounding leaves.
  private static func seconds(_ text: String, atMost most: Double = .greatestFiniteMagnitude) -> Double? {
    guard let value = Double(text), value >= 0, value <= most + 1e-6 else { return nil }
    return value
  }

  private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    LineSplitter.forEachLine(ofWhole: bytes.span, maximumLineBytes: .max) { line, _ in
      lines.append(line.indices.map { line[$0] })
    }
    return lines
  }

  private static func cells(of line: [UInt8]) -> [String] {
    var cells: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    var wasQuote = false
    for byte in line {
      if byte == UInt8(ascii: "\"") {
        if wasQuote, !isQuoted { cell.append(byte) }
        isQuoted.toggle()
        wasQuote = true
        continue
      }
      wasQuote = false
      if byte == UInt8(ascii: ","), !isQuoted {
        cells.append(String(decoding: cell, as: UTF8.self))
        cell = []
      } else {
        cell.append(byte)
      }
    }
    return cells + [String(decoding: cell, as: UTF8.self)]
  }
}

extension TrialRow {
  fileprivate init(
    protocolHash: String, participant: String, session: String, setting: TrialSetting, number: Int, atSeconds: Double,
    isAvailable: Bool, word: String, probability: Double, isGiven: Bool, secondsSinceCue: Double?,
    secondsOffTarget: Double, beatsOffTarget: Int?, outcomes: [Int: Outcome]
  ) {
    self.protocolHash = protocolHash
    self.participant = participant
    self.session = session
    self.setting = setting
    self.number = number
    self.atSeconds = atSeconds
    self.isAvailable = isAvailable
    self.word = word
    self.probability = probability
    self.isGiven = isGiven
    self.secondsSinceCue = secondsSinceCue
    self.secondsOffTarget = secondsOffTarget
    self.beatsOffTarget = beatsOffTarget
    self.outcomes = outcomes
  }
}
