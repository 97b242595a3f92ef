internal import SessionStore
internal import TextFormats
internal import WorkoutSession
internal import ZoneEngine

/// The rows of a trial as a CSV for R, Python and the like.
package enum TrialTable {
  /// The columns that every table begins with.
  private enum Column: String, CaseIterable {
    case protocolHash = "protocol_sha256"
    case participant, session, activity, behaviour, arm, point
    case at = "at_s"
    case available, cue, probability, action
    case sinceCue = "seconds_since_cue"
    case offTarget = "seconds_off_target"
    case beatsOffTarget = "beats_off_target"

    /// Its place among them.
    var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  private static let columns = Column.allCases.map(\.rawValue)

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

  /// Reads a table that ``csv(_:outcomeSeconds:)`` has written, or another program has written again: a whole number may have decimals
  /// that are 0, what is unknown may be `NA` or `NaN`, and lines may end with carriage returns.
  ///
  /// - Parameter seconds: which outcome the table has to have columns of.
  /// - Throws: ``Problem`` with the line and the column.
  package static func rows(
    of bytes: [UInt8], path: String, withOutcome seconds: Int
  ) throws(Problem) -> [TrialRow] {
    let lines = try lines(of: bytes, path: path)
    let head = cells(of: lines.first?.bytes ?? [])
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
    guard pairs.contains(where: { $0.span == seconds }) else {
      throw Problem(
        description: "\(path): line 1: no \(outcomeColumns(of: [seconds]).joined(separator: " with ")) behind it: "
          + "expected the columns of the outcome that is analysed")
    }
    var rows: [TrialRow] = []
    for (number, bytes) in lines.dropFirst() where !bytes.isEmpty {
      let line = TableLine(path: path, number: number, columns: head, cells: cells(of: bytes))
      guard line.cells.count == head.count else {
        throw line.problem("expected \(head.count) values, found \(line.cells.count)")
      }
      rows.append(try row(of: line, pairs))
    }
    return rows
  }

  /// A line of a table, by its columns.
  private struct TableLine {
    let path: String
    let number: Int
    let columns: [String]
    let cells: [String]

    func problem(_ text: String) -> Problem { Problem(description: "\(path): line \(number): \(text)") }

    /// That a column has something else than what is expected.
    func problem(_ column: Column, expected: String) -> Problem {
      let found = self[column].isEmpty ? "nothing" : "'\(self[column].visible)'"
      return problem("\(column.rawValue): expected \(expected), found \(found)")
    }

    subscript(column: Column) -> String { cells[column.place] }

    /// What is unknown: nothing, or as R and Python write it.
    static func isUnknown(_ cell: String) -> Bool { ["", "na", "nan"].contains(cell.lowercased()) }

    /// A whole number, which other programs may write with decimals that are 0.
    private func whole(_ column: Column) -> Int? {
      Int(self[column]) ?? Double(self[column]).flatMap { Int(exactly: $0) }
    }

    /// 0 or 1.
    func flag(_ column: Column) throws(Problem) -> Bool {
      guard let value = whole(column), value == 0 || value == 1 else {
        throw problem(column, expected: "0 or 1 of a decision point")
      }
      return value == 1
    }

    /// A whole number that may be unknown.
    func wholeBeats(_ column: Column) throws(Problem) -> Int? {
      guard !Self.isUnknown(self[column]) else { return nil }
      guard let value = whole(column) else {
        throw problem(column, expected: "whole beats of a decision point or nothing")
      }
      return value
    }

    /// The number of a point in its session.
    func pointNumber() throws(Problem) -> Int {
      guard let value = whole(.point), value > 0 else {
        throw problem(.point, expected: "the number of a decision point")
      }
      return value
    }

    /// The probability of a cue, which one that was available has within 0 and 1.
    func probability(ofAvailable isAvailable: Bool) throws(Problem) -> Double {
      guard let value = Double(self[.probability]), 0...1 ~= value, !isAvailable || value > 0 && value < 1 else {
        throw problem(.probability, expected: "the probability of a decision point")
      }
      return value
    }

    /// Seconds from 0 on.
    func seconds(_ column: Column) throws(Problem) -> Double {
      guard let value = TrialTable.seconds(self[column]) else {
        throw problem(column, expected: "seconds of a decision point")
      }
      return value
    }

    /// Seconds from 0 on that may be unknown.
    func optionalSeconds(_ column: Column) throws(Problem) -> Double? {
      Self.isUnknown(self[column]) ? nil : try seconds(column)
    }
  }

  private static func row(
    of line: TableLine, _ pairs: [(first: Int, span: Int)]
  ) throws(Problem) -> TrialRow {
    let isAvailable = try line.flag(.available)
    let isGiven = try line.flag(.action)
    guard isAvailable || !isGiven else {
      throw line.problem(.action, expected: "0 of a decision point at which no cue was available")
    }
    var outcomes: [Int: TrialRow.Outcome] = [:]
    for (first, span) in pairs {
      let (inTarget, coverage) = (line.cells[first], line.cells[first + 1])
      if TableLine.isUnknown(inTarget), TableLine.isUnknown(coverage) { continue }
      guard let covered = seconds(coverage, atMost: Double(span)), let inside = seconds(inTarget, atMost: covered)
      else {
        throw line.problem(
          "\(line.columns[first]): expected seconds within those that are covered, of 0 to \(span)")
      }
      outcomes[span] = TrialRow.Outcome(secondsInTarget: inside, coveredSeconds: covered)
    }
    return TrialRow(
      protocolHash: line[.protocolHash], participant: line[.participant], session: line[.session],
      setting: TrialSetting(activity: line[.activity], behaviour: line[.behaviour], arm: line[.arm]),
      number: try line.pointNumber(), atSeconds: try line.seconds(.at), isAvailable: isAvailable, word: line[.cue],
      probability: try line.probability(ofAvailable: isAvailable), isGiven: isGiven,
      secondsSinceCue: try line.optionalSeconds(.sinceCue), secondsOffTarget: try line.seconds(.offTarget),
      beatsOffTarget: try line.wholeBeats(.beatsOffTarget), outcomes: outcomes)
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

  /// The lines of a table, with their numbers in the file. One may end with a carriage return alone, as spreadsheets write a "CSV (Macintosh)";
  /// within quotes nothing ends it, since a name may have what ends lines.
  ///
  /// - Throws: ``Problem`` with the line in which quotes begin that do not end.
  private static func lines(of bytes: [UInt8], path: String) throws(Problem) -> [(number: Int, bytes: [UInt8])] {
    let bytes = TextMark.dropped(from: bytes)
    var lines: [(number: Int, bytes: [UInt8])] = []
    var line: [UInt8] = []
    // Where the line began, where quotes did, and where the text is.
    var (first, opened, number) = (1, 1, 1)
    var isQuoted = false
    for (index, byte) in bytes.enumerated() {
      let isEnd: Bool
      switch byte {
      case UInt8(ascii: "\n"): isEnd = true
      // The line feed behind it ends the line.
      case UInt8(ascii: "\r"): isEnd = index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n")
      case UInt8(ascii: "\""):
        isQuoted.toggle()
        opened = number
        isEnd = false
      default: isEnd = false
      }
      if isEnd { number += 1 }
      guard isEnd, !isQuoted else {
        line.append(byte)
        continue
      }
      if byte == UInt8(ascii: "\n"), line.last == UInt8(ascii: "\r") { line.removeLast() }
      lines.append((first, line))
      line = []
      first = number
    }
    guard !isQuoted else {
      throw Problem(description: "\(path): line \(opened): expected a closing quote")
    }
    return lines + [(first, line)]
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
