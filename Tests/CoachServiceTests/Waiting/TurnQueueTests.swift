@testable import CoachService
import Synchronization
import Testing
import TestSupport

@Suite("Turns, and gates")
struct TurnQueueTests {
  /// Gates that many share, and how many have gone on by now.
  private final class Shared: Sendable {
    let gates = Mutex(Gates<Int, Waiter>())
    let passed = Atomic(0)
  }

  @Test("As many go beside each other as there are places, in the order in which they ask")
  func width() {
    var turns = TurnQueue<Int>(width: 2)
    #expect(turns.isIdle)
    #expect(turns.ask(1, for: .besideOthers) == [1])
    #expect(turns.ask(2, for: .besideOthers) == [2])
    #expect(turns.ask(3, for: .besideOthers) == [])
    #expect(turns.ask(4, for: .besideOthers) == [])
    #expect(turns.end(.besideOthers) == [3])
    #expect(turns.end(.besideOthers) == [4])
    #expect(turns.end(.besideOthers) == [])
    #expect(!turns.isIdle)
    #expect(turns.end(.besideOthers) == [])
    #expect(turns.isIdle)
  }

  @Test("Who goes alone waits for those before, and all who come later wait, also those who could go beside the first")
  func alone() {
    var turns = TurnQueue<String>()
    #expect(turns.ask("a", for: .besideOthers) == ["a"])
    #expect(turns.ask("b", for: .besideOthers) == ["b"])
    #expect(turns.ask("alone", for: .alone) == [])
    #expect(turns.ask("c", for: .besideOthers) == [])
    #expect(turns.ask("d", for: .besideOthers) == [])
    #expect(turns.ask("alone too", for: .alone) == [])
    #expect(turns.end(.besideOthers) == [])
    #expect(turns.end(.besideOthers) == ["alone"])
    #expect(turns.end(.alone) == ["c", "d"])
    #expect(turns.end(.besideOthers) == [])
    #expect(turns.end(.besideOthers) == ["alone too"])
    #expect(turns.end(.alone) == [])
    #expect(turns.isIdle)
  }

  @Test("Whatever is asked for, each goes once and in its order, and nobody beside who goes alone", arguments: 0..<50)
  func property(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let width = random.int(1...4)
    var turns = TurnQueue<Int>(width: width)
    var kinds: [TurnQueue<Int>.Kind] = []
    var gone: [Int] = []
    var running: [Int] = []
    for _ in 0..<200 {
      let going: [Int]
      if running.isEmpty || random.chance(0.5) {
        kinds.append(random.int(0...3) == 0 ? .alone : .besideOthers)
        going = turns.ask(kinds.count - 1, for: kinds[kinds.count - 1])
      } else {
        going = turns.end(kinds[running.remove(at: random.int(0...running.count - 1))])
      }
      gone += going
      running += going
      #expect(gone == Array(0..<gone.count), "seed \(seed)")
      #expect(running.count <= width, "seed \(seed)")
      #expect(running.count == 1 || !running.contains { kinds[$0] == .alone }, "seed \(seed)")
      #expect(gone.count == kinds.count || !running.isEmpty, "seed \(seed): nobody lets the next one go")
      #expect(turns.isIdle == running.isEmpty, "seed \(seed)")
    }
  }

  @Test("Who comes to a gate that is closed waits until it opens; at an open one nobody waits")
  func gates() {
    var gates = Gates<String, Int>()
    #expect(gates.ask(1, at: "a") == [1])
    gates.close("a")
    gates.close("b")
    #expect(gates.isClosed("a"))
    #expect(!gates.isClosed("c"))
    #expect(gates.ask(2, at: "a") == [])
    gates.close("a")
    #expect(gates.ask(3, at: "a") == [])
    #expect(gates.ask(4, at: "b") == [])
    #expect(gates.open("a") == [2, 3])
    #expect(gates.open("a") == [])
    #expect(gates.ask(5, at: "a") == [5])
    #expect(gates.sendAway() == [4])
    #expect(gates.isClosed("b"))
    #expect(gates.ask(6, at: "b") == [])
    #expect(gates.openAll() == [6])
    #expect(gates.ask(7, at: "b") == [7])
  }

  @Test("Who need not wait goes on at once, and who waits when somebody lets them go")
  func waiters() async {
    await Waiter.wait { [$0] }
    let shared = Shared()
    shared.gates.withLock { $0.close(1) }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          await Waiter.wait { waiter in shared.gates.withLock { $0.ask(waiter, at: 1) } }
          shared.passed.add(1, ordering: .relaxed)
        }
      }
      try? await Task.sleep(nanoseconds: 5_000_000)
      #expect(shared.passed.load(ordering: .relaxed) == 0)
      shared.gates.withLock { $0.open(1) }.letGo()
    }
    #expect(shared.passed.load(ordering: .relaxed) == 20)
  }
}
