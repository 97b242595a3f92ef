internal import TextFormats

/// What a verb of this program says of a request that it cannot carry out, in the words of a request: what are options of a terminal
/// are parameters of a query here, and no file of the machine is named.
struct ProgramComplaint: Hashable, Sendable {
  /// What is wrong and what was expected.
  let detail: String
  /// The parameter that it is about; absent where it is about the body.
  let parameter: String?
  /// Whether it is that there is no such person.
  let isOfPerson: Bool

  /// Where a verb reads the body of the request.
  static let body = "/dev/stdin"
  /// Where it reads a plan that is no name of one.
  static let plan = "/dev/fd/3"
  /// Where it reads a model, whether there is a plan or not.
  static let model = "/dev/fd/4"

  /// Reads a line.
  ///
  /// - Parameter names: the parameters of the route, each the name of an option.
  init(_ line: String, parameters names: [String]) {
    isOfPerson = line.contains(": no such profile: ")
    // A recording in an archive has its name there behind it.
    var text = line.replacing(Self.body + ": ", with: "").replacing(Self.body + "/", with: "")
      .replacing(Self.body, with: "the file")
    let isOfPlan = text.contains(Self.plan)
    text = text.replacing(Self.plan, with: "plan").replacing(Self.model, with: "recognize")
    // What is said first is what it is about; the rest is what would help.
    let places = names.compactMap { name in Self.place(of: name, in: text).map { (name: name, place: $0) } }
    let first = places.min { $0.place < $1.place }?.name
    let begun = names.first { text.hasPrefix($0 + " '") }
    parameter = begun ?? (isOfPlan ? "plan" : first)
    for (name, _) in places { text = text.replacing("--" + name, with: name) }
    detail = text
  }

  /// Where a text names an option, and not a longer one.
  private static func place(of name: String, in text: String) -> String.Index? {
    text.ranges(of: "--" + name).first { range in
      range.upperBound == text.endIndex || !(text[range.upperBound].isLetter || text[range.upperBound] == "-")
    }?.lowerBound
  }
}
