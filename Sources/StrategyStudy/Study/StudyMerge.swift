internal import TextFormats

/// Puts the parts of a study together again.
///
/// - Complexity: The memory is that of one part; the outcomes of the others are in a temporary file.
package struct StudyMerge: Sendable {
  /// A part with the name of its file.
  package struct NamedPart: Sendable {
    /// What the part is called in an error.
    package let name: String
    /// The part.
    package let part: StudyPart

    /// Names a part.
    package init(name: String, part: StudyPart) {
      self.name = name
      self.part = part
    }
  }

  /// Why parts do not make a study. Its description is one line.
  package enum Problem: Error, Equatable, Sendable, CustomStringConvertible {
    /// A part is of another study than the first: other words, seed, number of runners or parameters.
    case foreign(name: String, first: String)
    /// A part is one of another number of parts than the first.
    case otherCount(name: String, count: Int, first: String, expected: Int)
    /// A part is there twice.
    case repeated(name: String, first: String, shard: Int, count: Int)
    /// Parts are not there.
    case missing(shards: [Int], count: Int)

    /// What is wrong and what was expected.
    package var description: String {
      switch self {
      case .foreign(let name, let first): "\(name): a part of another study than \(first): expected parts of one study"
      case .otherCount(let name, let count, let first, let expected):
        "\(name): one of \(count) shards: expected one of \(expected), as \(first)"
      case .repeated(let name, let first, let shard, let count):
        "\(name): shard \(shard) of \(count) again, after \(first): expected each once"
      case .missing(let shards, let count):
        "study merge: without shard \(Self.list(shards)) of \(count): expected all of them"
      }
    }

    private static func list(_ shards: [Int]) -> String {
      let shown = shards.prefix(20).map(String.init).joined(separator: ", ")
      return shards.count > 20 ? shown + " and \(shards.count - 20) more" : shown
    }
  }

  private var blocks: [Int: (name: String, block: MergedOutcomes.Block)] = [:]
  private var first: (name: String, count: Int, study: Study, hash: String, file: TemporaryFile)?

  /// Creates a merge of no part.
  package init() {}

  /// Takes the next part, in any order.
  ///
  /// - Throws: `Problem` for a part that is repeated or foreign, which is not kept; `FileError` when there is no room for it.
  package mutating func add(_ part: NamedPart) throws {
    let shard = part.part.shard
    let study = part.part.outcomes.study
    let hash = study.hash
    let first = try first ?? (part.name, shard.count, study, hash, TemporaryFile(to: "hold the parts of a study"))
    guard hash == first.hash else { throw Problem.foreign(name: part.name, first: first.name) }
    guard shard.count == first.count else {
      throw Problem.otherCount(name: part.name, count: shard.count, first: first.name, expected: first.count)
    }
    if let other = blocks[shard.number] {
      throw Problem.repeated(name: part.name, first: other.name, shard: shard.number, count: shard.count)
    }
    blocks[shard.number] = (part.name, try MergedOutcomes.append(part.part.outcomes, to: first.file))
    self.first = first
  }

  /// All runners of the study in their order.
  ///
  /// - Precondition: a part was taken.
  /// - Throws: `Problem` for parts that are lost.
  package func outcomes() throws(Problem) -> MergedOutcomes {
    guard let first else { preconditionFailure("a merge has parts") }
    let missing = (1...first.count).filter { blocks[$0] == nil }
    guard missing.isEmpty else { throw .missing(shards: missing, count: first.count) }
    return MergedOutcomes(first.study, (1...first.count).compactMap { blocks[$0]?.block }, in: first.file)
  }

  /// All runners of the study in their order, from parts in any order.
  ///
  /// - Precondition: there is at least one part.
  /// - Throws: `Problem` for parts that are lost, repeated or foreign; `FileError` when there is no room for them.
  package static func merge(_ parts: [NamedPart]) throws -> MergedOutcomes {
    var merge = StudyMerge()
    for part in parts { try merge.add(part) }
    return try merge.outcomes()
  }
}
