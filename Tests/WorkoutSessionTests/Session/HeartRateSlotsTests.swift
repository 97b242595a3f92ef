import TestSupport
import Testing

@testable import WorkoutSession

@Suite("Slots of heart rates")
struct HeartRateSlotsTests {
  private typealias Slot = HeartRateSlots.Slot

  /// Adds the same heart rates to slots and to whole sums, and holds one against the other after each.
  private func hold(_ heartRates: [Double], in slotCount: Int) {
    var slots = HeartRateSlots()
    slots.append(slotCount)
    var whole = [Slot](repeating: Slot(), count: slotCount)
    for (index, heartRate) in heartRates.enumerated() {
      let place = index % slotCount
      whole[place].sum += heartRate
      whole[place].count += 1
      slots[place] = Slot(sum: slots[place].sum + heartRate, count: slots[place].count + 1)
      #expect(slots[place].sum.bitPattern == whole[place].sum.bitPattern, "heart rate \(index)")
    }
    #expect((0..<slotCount).map { slots[$0] } == whole)
    #expect(slots.lastUsed == whole.lastIndex { $0.count > 0 })
  }

  @Test("have the sums of what was added, be it whole, fractional, much or not a number")
  func sums() {
    hold((0..<200).map { Double(60 + $0 % 120) }, in: 3)
    hold((0..<200).map { $0 == 150 ? 71.3 : Double(60 + $0 % 120) }, in: 3)
    hold([Double](repeating: 229, count: 5_000), in: 2)
    hold([Double](repeating: 30, count: 1_100), in: 1)
    hold([-0.0], in: 1)
    hold([100, -0.5, 40], in: 2)
    hold([4_194_303, 1], in: 1)
    hold([.infinity, 3], in: 2)
    hold([], in: 4)
  }

  @Test("take four bytes while heart rates are whole")
  func memory() {
    var slots = HeartRateSlots()
    slots.reserveCapacity(512)
    slots.append(512)
    for index in 0..<512 { slots[index] = Slot(sum: 142, count: 1) }
    #expect(slots.byteCount <= 512 * 4 + 64)
    slots[7] = Slot(sum: 142.5, count: 1)
    #expect(slots.byteCount >= 512 * 16)
    #expect(slots[8] == Slot(sum: 142, count: 1))
    #expect(slots[7] == Slot(sum: 142.5, count: 1))
  }

  @Test("can be cut and go on", arguments: [142, 142.25])
  func cut(heartRate: Double) {
    var slots = HeartRateSlots()
    slots.append(6)
    for index in 0..<6 { slots[index] = Slot(sum: heartRate, count: index) }
    slots.keep(3)
    #expect(slots.count == 3)
    slots.append(2)
    #expect(slots.count == 5)
    #expect(slots[2] == Slot(sum: heartRate, count: 2))
    #expect(slots[4] == Slot())
    #expect(slots.lastUsed == 2)
  }
}
