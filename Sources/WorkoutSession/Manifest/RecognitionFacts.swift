internal import ActivityRecognition
package import TextFormats

/// With what a session recognised activities: enough to know whether a replay asks the same model.
package struct RecognitionFacts: Hashable, Sendable {
  /// The name of the model's file, without folder and ending.
  package let model: String
  /// The SHA-256 of the model's file, in lower-case hexadecimal digits.
  package let sha256: String
  /// Whether the session paused while somebody stood still.
  package let pausesWhenStill: Bool

  /// Facts.
  package init(model: String, sha256: String, pausesWhenStill: Bool) {
    self.model = model
    self.sha256 = sha256
    self.pausesWhenStill = pausesWhenStill
  }

  /// Writes the members of the object in a manifest.
  package func write(to writer: inout JSONWriter) {
    writer.member("model", model)
    writer.member("sha256", sha256)
    writer.member("autoPause", pausesWhenStill)
  }

  /// The object in a manifest.
  package static let field = JSONField<RecognitionFacts>.object { (reader) throws(JSONError) in
    let digits = JSONField<String>.string.mapped(to: "64 hexadecimal digits") { text in
      text.utf8.count == 64 && text.allSatisfy { $0.isASCII && $0.isHexDigit } ? text : nil
    }
    return RecognitionFacts(
      model: try reader.required("model", .nonEmptyString), sha256: try reader.required("sha256", digits),
      pausesWhenStill: try reader.required("autoPause", .bool))
  }
}

extension RecognitionSettings {
  /// What a manifest says of them.
  package var facts: RecognitionFacts {
    RecognitionFacts(model: model.name, sha256: model.hash, pausesWhenStill: pausesWhenStill)
  }
}
