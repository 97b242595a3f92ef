import Testing

@testable import SessionStore

@Suite("Memory that sessions share")
struct SpareBuffersTests {
  @Test("What was given back is taken again, empty, and none is left where it was")
  func again() {
    let spare = SpareBuffers()
    var buffer = spare.take()
    #expect(buffer.capacity == 0)
    buffer += [1, 2, 3]
    let capacity = buffer.capacity
    spare.giveBack(&buffer)
    #expect(buffer.capacity == 0)
    #expect(spare.count == 1)
    let next = spare.take()
    #expect(next.isEmpty)
    #expect(next.capacity == capacity)
    #expect(spare.count == 0)
  }

  @Test("Not more is kept than is of use, and nothing large or without memory")
  func bounds() {
    let spare = SpareBuffers()
    for _ in 0..<100 {
      var buffer: [UInt8] = [1]
      spare.giveBack(&buffer)
    }
    #expect(spare.count == SpareBuffers.most)
    let other = SpareBuffers()
    var large = [UInt8](repeating: 0, count: SpareBuffers.largest * 2)
    other.giveBack(&large)
    #expect(large.capacity == 0)
    var empty: [UInt8] = []
    other.giveBack(&empty)
    #expect(other.count == 0)
  }
}
