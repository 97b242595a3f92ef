internal import TextFormats

/// A JSON body that is read member by member.
enum JSONBody {
  /// The bounds of what a body may be.
  static let limits = JSONLimits(textBytes: 1 << 20, tokenBytes: 64 << 10, depth: 16)

  /// Reads the object of a body, every member of it.
  ///
  /// - Throws: `ServiceProblem` with the member that is wrong.
  static func read<Value>(
    _ body: [UInt8], limits: JSONLimits = JSONBody.limits, _ read: (inout JSONObjectReader) throws(JSONError) -> Value
  ) throws(ServiceProblem) -> Value {
    do throws(JSONError) {
      var reader = try JSONObjectReader(JSONValue.parse(body.span, limits: limits))
      let value = try read(&reader)
      try reader.finish()
      return value
    } catch {
      throw ServiceProblem(error)
    }
  }
}
