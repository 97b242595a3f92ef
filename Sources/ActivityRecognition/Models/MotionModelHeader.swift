internal import TextFormats

/// What stands in the header of a model's file.
struct MotionModelHeader {
  var network: NetworkKind
  var shape: WindowShape
  var usesRotationRate: Bool
  var featureHash: String
  var widths: [Int]
  var networks: Int
  var labels: [String]
  var scaleLimit: Float
  var leastProbabilities: [Float]
  var largestDistances: [Float]
  var rehearsalRows: Int
  var origin: MotionModel.Origin

  init(of model: MotionModel) {
    network = model.network
    shape = model.shape
    usesRotationRate = model.usesRotationRate
    featureHash = model.network.features.hash(model.shape)
    widths = model.ensemble.networks[0].widths
    networks = model.ensemble.networks.count
    labels = model.labels
    scaleLimit = model.ensemble.scale.limit
    leastProbabilities = model.unknown.leastProbabilities
    largestDistances = model.unknown.largestDistances
    rehearsalRows = model.rehearsal.labels.count
    origin = model.origin
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("type", "motionModel")
      writer.member("rateHz", MotionRecording.rateHz)
      writer.object("units") { writer in
        writer.member("acceleration", "g")
        writer.member("rotationRate", "rad/s")
      }
      writer.member("network", network.rawValue)
      writer.member("windowPoints", shape.points)
      writer.member("stepPoints", shape.step)
      writer.member("pastPoints", shape.pastPoints)
      writer.member("usesRotationRate", usesRotationRate)
      writer.member("features", network.features.rawValue)
      writer.member("featureHash", featureHash)
      writer.array("widths") { writer in for width in widths { writer.value(width) } }
      writer.member("networks", networks)
      writer.array("labels") { writer in for label in labels { writer.value(label) } }
      writer.member("scaleLimit", Double(scaleLimit))
      writer.array("leastProbabilities") { writer in for limit in leastProbabilities { writer.value(Double(limit)) } }
      writer.array("largestDistances") { writer in for limit in largestDistances { writer.value(Double(limit)) } }
      writer.member("rehearsalRows", rehearsalRows)
      writer.object("origin") { writer in
        writer.member("seed", "\(origin.seed)")
        writer.member("epochs", origin.epochs)
        writer.member("people", origin.people)
        writer.member("windows", origin.windows)
        writer.member("tunedWindows", origin.tunedWindows)
        write(origin.training, "training", to: &writer)
        if let heldOut = origin.heldOut {
          writer.member("heldOutPeople", heldOut.people)
          writer.member("heldOutWindows", heldOut.windows)
          write(heldOut.figures, "heldOut", to: &writer)
        }
      }
    }
  }

  private func write(_ figures: MotionModel.Figures, _ key: JSONKey, to writer: inout JSONWriter) {
    writer.object(key) { writer in
      writer.member("macroF1", figures.macroF1)
      writer.member("accuracy", figures.accuracy)
    }
  }

  /// Reads a header; everything in it is within bounds then, and only what belongs together is still to be checked.
  init(json bytes: Span<UInt8>) throws(JSONError) {
    self = try JSONField<MotionModelHeader>.object { (reader) throws(JSONError) in
      try MotionModelHeader(&reader)
    }.read(JSONValue.parse(bytes))
  }

  private init(_ reader: inout JSONObjectReader) throws(JSONError) {
    _ = try reader.required("type", JSONField<String>.word(["motionModel": "motionModel"]))
    _ = try reader.required("rateHz", .int(in: MotionRecording.rateHz...MotionRecording.rateHz))
    _ = try reader.required(
      "units",
      JSONField<Bool>.object { (units) throws(JSONError) in
        _ = try units.required("acceleration", JSONField<String>.word(["g": "g"]))
        _ = try units.required("rotationRate", JSONField<String>.word(["rad/s": "rad/s"]))
        return true
      })
    network = try reader.required(
      "network", JSONField("the name of a network") { $0.string.flatMap(NetworkKind.init(rawValue:)) })
    let points = try reader.required("windowPoints", .int(in: 100...1_000))
    let step = try reader.required("stepPoints", .int(in: 1...points))
    let past = try reader.required("pastPoints", .int(in: 0...1_000))
    shape = WindowShape(points: points, step: step, pastPoints: past)
    usesRotationRate = try reader.required("usesRotationRate", .bool)
    reader.ignore("features")
    featureHash = try reader.required("featureHash", .string)
    widths = try reader.required("widths", .array(of: .int(in: 1...4_096), count: 2...9))
    networks = try reader.required("networks", .int(in: 1...16))
    labels = try reader.required("labels", .array(of: .nonEmptyString, count: 1...MotionModel.mostLabels))
    scaleLimit = Float(try reader.required("scaleLimit", .double(in: 0.001...1e9)))
    leastProbabilities = try Self.limits("leastProbabilities", "leastProbability", in: 0...1, labels.count, &reader)
    // One that is infinite could not be written again.
    largestDistances = try Self.limits(
      "largestDistances", "largestDistance", in: 0...Double(Float.greatestFiniteMagnitude), labels.count, &reader)
    rehearsalRows = try reader.required("rehearsalRows", .int(in: 0...60_000))
    origin = try reader.required(
      "origin", JSONField<MotionModel.Origin>.object { (reader) throws(JSONError) in try Self.origin(&reader) })
  }

  /// Limits of unknown, one a label; in a file of version 1 there is one for all.
  private static func limits(
    _ key: String, _ common: String, in range: ClosedRange<Double>, _ labels: Int, _ reader: inout JSONObjectReader
  ) throws(JSONError) -> [Float] {
    if reader.has(common) {
      return Array(repeating: Float(try reader.required(common, .double(in: range))), count: labels)
    }
    return try reader.required(key, .array(of: .double(in: range), count: labels...labels)).map { Float($0) }
  }

  private static func origin(_ reader: inout JSONObjectReader) throws(JSONError) -> MotionModel.Origin {
    let count = JSONField<Int>.int(in: 0...MotionModel.Origin.largestCount)
    let figures = JSONField<MotionModel.Figures>.object { (reader) throws(JSONError) in
      MotionModel.Figures(
        macroF1: try reader.required("macroF1", .double(in: 0...1)),
        accuracy: try reader.required("accuracy", .double(in: 0...1)))
    }
    let seed = try reader.required("seed", JSONField("a whole number") { $0.string.flatMap { UInt64($0) } })
    let epochs = try reader.required("epochs", count)
    let people = try reader.required("people", count)
    let windows = try reader.required("windows", count)
    let tuned = try reader.required("tunedWindows", count)
    let training = try reader.required("training", figures)
    var heldOut: MotionModel.HeldOut?
    if reader.has("heldOut") {
      heldOut = MotionModel.HeldOut(
        people: try reader.required("heldOutPeople", count), windows: try reader.required("heldOutWindows", count),
        figures: try reader.required("heldOut", figures))
    }
    return MotionModel.Origin(
      seed: seed, epochs: epochs, people: people, windows: windows, tunedWindows: tuned, training: training,
      heldOut: heldOut)
  }
}
