internal import StrategyStudy
internal import TextFormats

/// Parts of the small studies that are the seeds of study files, as short as they can be: the studies as they are there,
/// and numbers that are made right anyway left out, so that a change of a byte often changes an outcome.
enum StudyPartSeeds {
  static let all: [InputCheck.Seed] =
    StudySeeds.all.compactMap { seed($0.name, $0.bytes, runners: 1, shard: 1, of: 1) }
    + StudySeeds.all.prefix(1).flatMap { study in
      [(1, 1), (2, 3), (1, 10)].compactMap { shard, count in
        seed("shard-\(shard)-of-\(count)", study.bytes, runners: 5, shard: shard, of: count)
      }
    }

  /// A part as it stands in its file.
  static func text(of part: StudyPart) -> [UInt8] {
    var writer = JSONWriter()
    part.write(to: &writer)
    return writer.bytes
  }

  private static func seed(
    _ name: String, _ bytes: [UInt8], runners: Int, shard number: Int, of count: Int
  ) -> InputCheck.Seed? {
    let study = String(decoding: bytes, as: UTF8.self).replacing("\"runners\":20", with: "\"runners\":\(runners)")
    guard let parsed = try? Study(json: study.utf8.span), let shard = StudyShard(number: number, count: count),
      let outcomes = StudySimulation.run(
        parsed, runners: shard.runners(of: runners), threads: 1, progress: { _ in true })
    else { return nil }
    let whole = text(of: StudyPart(shard: shard, outcomes: outcomes))
    let packed = (try? JSONValue.parse(whole.span))?["outcomes"]?.array?.compactMap(\.string) ?? []
    let short = """
      {"version":1,"type":"studyPart","program":"","studyHash":"","shard":\(number),"of":\(count),
      "study":\(study),
      "outcomes":[\(packed.map { "\"\($0)\"" }.joined(separator: ","))],"checksum":""}
      """
    return InputCheck.Seed(name, short)
  }
}
