import TestSupport
import Testing

@testable import ActivityRecognition

@Suite("Tables of features")
struct FeatureTableTests {
  private static let shape = WindowShape(seconds: 1, stepSeconds: 0.5, pastSeconds: 0)

  private func data() throws -> LabelledWindows {
    var motion = MadeUpMotion(seed: 7)
    return try LabelledWindows(motion.corpus(people: 2, secondsEach: 4), Self.shape, .motion)
  }

  private func table(_ data: LabelledWindows, copies: Int, networks: Int, threads: Int = 1) -> FeatureTable {
    FeatureTable(
      data.corpus, data.windows, .motion, Self.shape, copies: copies, networks: networks, seed: 5, threads: threads)
  }

  @Test("The windows come first, then the copies of each network; those of the first do not depend on how many learn")
  func order() throws {
    let data = try data()
    let count = data.windows.count
    let plain = table(data, copies: 0, networks: 3)
    let one = table(data, copies: 3, networks: 1)
    let three = table(data, copies: 3, networks: 3)
    #expect((plain.count, one.count, three.count) == (count, 4 * count, 10 * count))
    #expect(plain.values == Array(one.values.prefix(plain.values.count)))
    #expect(one.values == Array(three.values.prefix(one.values.count)))
    for row in 0..<three.count {
      #expect(three.labels[row] == plain.labels[row % count], "row \(row)")
      #expect(three.persons[row] == plain.persons[row % count], "row \(row)")
    }
  }

  @Test("The copies of one network are none of another's, and none is the window itself")
  func different() throws {
    let data = try data()
    let count = data.windows.count
    let three = table(data, copies: 3, networks: 3)
    for window in 0..<count {
      let versions = (0..<10).map { Array(three[$0 * count + window]) }
      #expect(Set(versions).count == 10, "window \(window)")
    }
  }

  @Test("A network learns every window and its own copies, and all there is of a table without any")
  func learners() throws {
    let data = try data()
    let count = data.windows.count
    let three = table(data, copies: 3, networks: 3)
    let all = Array(0..<three.count)
    for network in 0..<3 {
      let own = (1 + 3 * network) * count..<(4 + 3 * network) * count
      #expect(three.rows(all, for: network) == Array(0..<count) + Array(own), "network \(network)")
    }
    #expect(three.rows([2, 1, 2], for: 1) == [2, 1, 2])
    let plain = table(data, copies: 0, networks: 3)
    #expect(plain.rows(Array(0..<count), for: 2) == Array(0..<count))
  }

  @Test("The values are the same on one thread and on three, and no window makes an empty table")
  func threads() throws {
    let data = try data()
    #expect(
      table(data, copies: 3, networks: 2).values == table(data, copies: 3, networks: 2, threads: 3).values)
    let none = FeatureTable(data.corpus, [], .motion, Self.shape, copies: 3, networks: 3, threads: 2)
    #expect(none.count == 0)
    #expect(none.values.isEmpty)
  }

  @Test("The first network of an ensemble is the one that is trained alone, and the others differ from it")
  func firstNetwork() throws {
    let data = try data()
    let three = table(data, copies: 3, networks: 3)
    let rows = Array(0..<three.count)
    func ensemble(_ seeds: Int) -> NetworkEnsemble {
      NetworkEnsemble.trained(
        three, rows: rows, classes: data.labels.count, .standard, TrainingSettings(epochs: 1), seed: 5, threads: 2,
        seeds: seeds
      ) { _ in }
    }
    let (alone, together) = (ensemble(1), ensemble(3))
    #expect(alone.scale == together.scale)
    #expect(alone.networks == Array(together.networks.prefix(1)))
    #expect(Set(together.networks).count == 3)
  }
}
