/// Puts the parts of a study together again.
///
/// - Complexity: The memory is that of the whole study, however often a part is given.
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

  private var byNumber: [Int: NamedPart] = [:]
  private var first: (name: String, count: Int, hash: String)?

  /// Creates a merge of no part.
  package init() {}

  /// Takes the next part, in any order.
  ///
  /// - Throws: `Problem` for a part that is repeated or foreign, which is not kept.
  package mutating func add(_ part: NamedPart) throws(Problem) {
    let shard = part.part.shard
    let hash = part.part.outcomes.study.hash
    let first = first ?? (part.name, shard.count, hash)
    guard hash == first.hash else { throw .foreign(name: part.name, first: first.name) }
    guard shard.count == first.count else {
      throw .otherCount(name: part.name, count: shard.count, first: first.name, expected: first.count)
    }
    if let other = byNumber[shard.number] {
      throw .repeated(name: part.name, first: other.name, shard: shard.number, count: shard.count)
    }
    byNumber[shard.number] = part
    self.first = first
  }

  /// All runners of the study in their order. The parts are given up one by one, so that they are there once.
  ///
  /// - Precondition: a part was taken.
  /// - Throws: `Problem` for parts that are lost.
  package mutating func takeOutcomes() throws(Problem) -> StudyOutcomes {
    guard let count = first?.count, let study = byNumber.values.first?.part.outcomes.study else {
      preconditionFailure("a merge has parts")
    }
    let missing = (1...count).filter { byNumber[$0] == nil }
    guard missing.isEmpty else { throw .missing(shards: missing, count: count) }
    var sessions: [RunOutcome] = []
    sessions.reserveCapacity(byNumber.values.reduce(0) { $0 + $1.part.outcomes.sessions.count })
    for number in 1...count { sessions += byNumber.removeValue(forKey: number)?.part.outcomes.sessions ?? [] }
    return StudyOutcomes(study: study, runners: 0..<study.runners, sessions: sessions)
  }

  /// All runners of the study in their order, from parts in any order.
  ///
  /// - Precondition: there is at least one part.
  /// - Throws: `Problem` for parts that are lost, repeated or foreign.
  package static func merge(_ parts: [NamedPart]) throws(Problem) -> StudyOutcomes {
    var merge = StudyMerge()
    for part in parts { try merge.add(part) }
    return try merge.takeOutcomes()
  }
}
