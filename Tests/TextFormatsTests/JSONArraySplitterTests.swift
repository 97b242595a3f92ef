import TestSupport
import Testing
import TextFormats
@testable import WorkoutTestSupport

/// The objects of a text with their places, and why the reading ended, where it was too early.
private struct Split: Equatable {
  var objects: [String] = []
  var places: [Int] = []
  var problem: String?
  var trailing: Int?

  init(_ bytes: [UInt8], cuts: [Int] = []) {
    var splitter = JSONArraySplitter()
    var (objects, places): ([String], [Int]) = ([], [])
    let take: (Span<UInt8>, TextLine) -> Void = { object, place in
      objects.append(String(decoding: object.indices.map { object[$0] }, as: UTF8.self))
      places.append(place.byteOffset)
    }
    do {
      var start = 0
      for cut in cuts + [bytes.count] {
        try splitter.feed(bytes.span.extracting(start..<cut), take)
        start = cut
      }
      try splitter.finish()
    } catch {
      problem = "\(error)"
    }
    trailing = splitter.trailingOffset
    (self.objects, self.places) = (objects, places)
  }

  init(_ text: String) { self.init(Array(text.utf8)) }
}

private let text = "\u{FEFF} [ {\"a\":1},\n{\"b\":\"}]\\\"{\",\"c\":[{}, {\"d\":[1]}]} , {} ] "

@Suite("An array of JSON objects")
struct JSONArraySplitterTests {
  @Test("is split into its objects, whatever stands in their strings and inside of them")
  func objects() {
    let split = Split(text)
    #expect(split.objects == ["{\"a\":1}", "{\"b\":\"}]\\\"{\",\"c\":[{}, {\"d\":[1]}]}", "{}"])
    #expect(split.places == [6, 15, 51])
    #expect(split.problem == nil)
    #expect(split.trailing == nil)
    #expect(Split("[]").objects == [])
    #expect(Split("[]").problem == nil)
  }

  @Test("is the same wherever it is cut into pieces")
  func pieces() {
    let bytes = Array(text.utf8)
    let whole = Split(bytes)
    for first in 0...bytes.count {
      #expect(Split(bytes, cuts: [first]) == whole, "cut at \(first)")
      for second in first...bytes.count { #expect(Split(bytes, cuts: [first, second]) == whole) }
    }
  }

  @Test("that is cut gives the objects before the cut, and says where it ends")
  func truncation() {
    let bytes = Array(text.utf8)
    let ends = [13, 48, 53]
    for count in 0..<(bytes.count - 2) {
      let split = Split(Array(bytes[..<count]))
      #expect(split.objects.count == ends.count { $0 <= count }, "cut at \(count)")
      #expect(split.problem == "byte \(count): expected the rest of the array, found its end", "cut at \(count)")
    }
  }

  @Test(
    "of something else says where and what was expected",
    arguments: [
      ("x[]", "byte 0: expected an array of objects, found \"x\""),
      ("{}", "byte 0: expected an array of objects, found \"{\""),
      ("[1]", "byte 1: expected an object, found \"1\""), ("[{},1]", "byte 4: expected an object, found \"1\""),
      ("[{},]", "byte 4: expected an object, found \"]\""),
      ("[{}{}]", "byte 3: expected a comma or the end of the array, found \"{\""),
      ("[,{}]", "byte 1: expected an object, found \",\""), ("[[{}]]", "byte 1: expected an object, found \"[\""),
      ("\u{FEFF}\u{FEFF}[]", "byte 3: expected an array of objects, found byte 0xef"),
    ])
  func problems(text: String, problem: String) { #expect(Split(text).problem == problem) }

  @Test("followed by something reports its place")
  func trailing() {
    #expect(Split("[{}] \n").trailing == nil)
    #expect(Split("[{}] ]x").trailing == 5)
    #expect(Split("[{}] ]x").problem == nil)
  }

  @Test("has bounds for its objects and their depth")
  func bounds() {
    func object(_ count: Int) -> String { "{\"a\":\"" + String(repeating: "x", count: count - 8) + "\"}" }
    let limit = JSONArraySplitter.largestObject
    #expect(Split("[" + object(limit) + "]").objects.count == 1)
    #expect(
      Split("[" + object(limit + 1) + "]").problem
        == "byte 1: expected objects of at most \(limit) bytes, found a longer one")
    #expect(Split(Array("[\(object(limit + 1))]".utf8), cuts: [10, 5000]).problem?.hasPrefix("byte 1: ") == true)
    func nested(_ depth: Int) -> String {
      "[" + String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth) + "]"
    }
    let deepest = JSONArraySplitter.deepest
    #expect(Split(nested(deepest)).problem == nil)
    #expect(
      Split(nested(deepest + 1)).problem
        == "byte \(1 + 5 * deepest): expected at most \(deepest) values inside each other, found more")
  }

  @Test("No random change of bytes is a crash", arguments: 1...5 as ClosedRange<UInt64>)
  func flips(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      var bytes = Array(text.utf8)
      for _ in 0..<random.int(1...4) { bytes[random.int(0...bytes.count - 1)] = UInt8(random.int(0...255)) }
      let cut = random.int(0...bytes.count)
      #expect(Split(bytes) == Split(bytes, cuts: [cut]), "seed \(seed)")
    }
  }
}
