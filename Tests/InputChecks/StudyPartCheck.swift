internal import StrategyStudy
internal import TextFormats
internal import WorkoutSession

extension InputCheck {
  /// Parts of a study: read, written and read again, and merged where they are all of it. What the numbers of a part say
  /// of the rest of it is made right before, so that what stands behind them is reached.
  package static let studyPart = InputCheck(
    name: "study-part", longestInput: 4_096, seeds: StudyPartSeeds.all,
    violation: { bytes in
      let text = StudyPartRepair.repaired(bytes)
      do throws(JSONError) {
        return violation(of: try StudyPart(json: text.span))
      } catch {
        let line = error.description
        return ErrorLine.fault(of: line) ?? (line.hasPrefix("byte ") ? nil : "an error without a position: \(line)")
      }
    },
    isUsable: { bytes in
      let text = StudyPartRepair.repaired(bytes)
      return (try? StudyPart(json: text.span)) != nil
    })

  private static func violation(of part: StudyPart) -> String? {
    let text = StudyPartSeeds.text(of: part)
    do throws(JSONError) {
      let again = try StudyPart(json: text.span)
      guard again == part, StudyPartSeeds.text(of: again) == text else { return "written and read it is another part" }
    } catch {
      return "what is written cannot be read: \(error)"
    }
    do {
      let merged = try StudyMerge.merge([StudyMerge.NamedPart(name: "part", part: part)])
      guard part.shard.count == 1 else { return "one of \(part.shard.count) parts is a whole study" }
      let isSame = try Array(merged.sessions(of: merged.runners)) == part.outcomes.sessions
      return isSame ? resultViolation(part.outcomes) : "merged it is another study"
    } catch {
      if part.shard.count == 1 { return "the only part is no whole study: \(error)" }
      return ErrorLine.fault(of: "\(error)")
    }
  }

  /// How long what is stated of a study may be, in bytes, so that an input does not take long.
  private static let largestTable = 1 << 20

  private static func resultViolation(_ outcomes: StudyOutcomes) -> String? {
    for result in StudyAnalysis.results(of: outcomes) {
      let shares = result.arms.map(\.timeInTarget.mean) + [result.limit.timeInTarget.mean]
      guard shares.allSatisfy({ (0...1).contains($0) }) else { return "shares that cannot be: \(shares)" }
      for contrast in result.contrasts where contrast.counts.total != outcomes.runners.count {
        return "\(contrast.counts.total) of \(outcomes.runners.count) runners are compared"
      }
      var writer = JSONWriter()
      StudyRecords.write(result, traces: [], to: &writer)
      let record = writer.bytes
      if (try? JSONValue.parse(record.span)) == nil { return "a record that is no JSON" }
    }
    var size = 0
    do {
      try OutcomeTable.write(outcomes) { size += $0.count }
    } catch {
      return "no table: \(error)"
    }
    return size <= largestTable ? nil : "a table of \(size) bytes"
  }
}

/// Makes the numbers of a part right that depend on the rest of it.
enum StudyPartRepair {
  /// The same bytes with this program, the hash of the study and the checksum of the outcomes, as far as these can be
  /// computed.
  static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var text = replacing("program", in: bytes, by: Program.version)
    guard let part = try? JSONValue.parse(text.span) else { return text }
    if let value = part["study"], let study = try? Study(value, at: .root) {
      text = replacing("studyHash", in: text, by: study.hash)
    }
    if let number = part["shard"]?.number?.int64, let count = part["of"]?.number?.int64,
      let shard = StudyShard(number: Int(clamping: number), count: Int(clamping: count)),
      let outcomes = part["outcomes"]
    {
      text = replacing("checksum", in: text, by: shard.checksum(of: outcomes.array?.compactMap(\.string) ?? []))
    }
    return text
  }

  /// Replaces the text that is the value of the last member with a key.
  private static func replacing(_ key: String, in bytes: [UInt8], by value: String) -> [UInt8] {
    let head = Array("\"\(key)\":\"".utf8)
    guard let start = bytes.indices.last(where: { bytes[$0...].starts(with: head) }) else { return bytes }
    let first = start + head.count
    guard let end = bytes[first...].firstIndex(of: UInt8(ascii: "\"")) else { return bytes }
    return Array(bytes[..<first]) + Array(value.utf8) + Array(bytes[end...])
  }
}
