internal import TextFormats

/// A model as an ONNX file: `features` in, rows of as many numbers as the model has features; `probabilities` out.
///
/// Features are scaled and cut off, then go through Gemm and Relu layers and Softmax of every network; the mean of those comes out.
/// Computing the features is not part of it. Source: ONNX IR version 8, operator set 13; field numbers of `onnx.proto`.
package enum ONNXFile {
  private static let irVersion = 8
  private static let operatorSet = 13

  /// The bytes of the file.
  package static func bytes(of model: MotionModel) -> [UInt8] {
    var file = ProtocolBuffer()
    file.add(1, irVersion)
    file.add(2, "coach")
    file.add(7) { $0.addGraph(of: model) }
    file.add(8) { opset in
      opset.add(1, "")
      opset.add(2, operatorSet)
    }
    for (key, value) in metadata(of: model) {
      file.add(14) { entry in
        entry.add(1, key)
        entry.add(2, value)
      }
    }
    return file.bytes
  }

  private static func metadata(of model: MotionModel) -> [(String, String)] {
    [
      ("labels", model.labels.joined(separator: "\n")), ("rateHz", "\(MotionRecording.rateHz)"),
      ("windowPoints", "\(model.shape.points)"), ("pastPoints", "\(model.shape.pastPoints)"),
      ("features", model.network.features.rawValue), ("featureHash", model.network.features.hash(model.shape)),
      ("units", "g, rad/s"),
    ]
  }
}

extension ProtocolBuffer {
  /// The graph of a model.
  fileprivate mutating func addGraph(of model: MotionModel) {
    let scale = model.ensemble.scale
    addNode("Sub", ["features", "means"], "centred")
    addNode("Mul", ["centred", "factors"], "scaled")
    addNode("Clip", ["scaled", "lowest", "highest"], "inputs")
    var outputs: [String] = []
    for (number, network) in model.ensemble.networks.enumerated() {
      var value = "inputs"
      for layer in 0..<network.layers {
        let name = "n\(number)_l\(layer)"
        addNode("Gemm", [value, "\(name)_weights", "\(name)_offsets"], name) { attribute in
          attribute.add(1, "transB")
          attribute.add(3, 1)
          attribute.add(20, 2)
        }
        value = name
        if layer + 1 < network.layers {
          addNode("Relu", [value], "\(name)_relu")
          value = "\(name)_relu"
        }
      }
      addNode("Softmax", [value], "n\(number)_probabilities") { attribute in
        attribute.add(1, "axis")
        attribute.add(3, -1)
        attribute.add(20, 2)
      }
      outputs.append("n\(number)_probabilities")
    }
    addNode("Mean", outputs, "probabilities")
    add(2, "coach-motion")
    addTensor("means", [scale.means.count], scale.means)
    addTensor("factors", [scale.means.count], scale.spreads.map { 1 / $0 })
    addTensor("lowest", [], [-scale.limit])
    addTensor("highest", [], [scale.limit])
    for (number, network) in model.ensemble.networks.enumerated() {
      for layer in 0..<network.layers {
        addTensor(
          "n\(number)_l\(layer)_weights", [network.widths[layer + 1], network.widths[layer]], network.weights[layer])
        addTensor("n\(number)_l\(layer)_offsets", [network.widths[layer + 1]], network.biases[layer])
      }
    }
    addValue(11, "features", model.ensemble.inputs)
    addValue(12, "probabilities", model.ensemble.classes)
  }

  private mutating func addNode(
    _ type: String, _ inputs: [String], _ output: String, attribute: ((inout ProtocolBuffer) -> Void)? = nil
  ) {
    add(1) { node in
      for input in inputs { node.add(1, input) }
      node.add(2, output)
      node.add(3, output)
      node.add(4, type)
      if let attribute { node.add(5, attribute) }
    }
  }

  private mutating func addTensor(_ name: String, _ sizes: [Int], _ values: [Float]) {
    add(5) { tensor in
      for size in sizes { tensor.add(1, size) }
      tensor.add(2, 1)
      tensor.add(8, name)
      var raw: [UInt8] = []
      raw.reserveCapacity(values.count * 4)
      for value in values { raw.appendLittleEndian(value.bitPattern) }
      tensor.add(9, bytes: raw)
    }
  }

  /// A value of rows, of which there can be any number.
  private mutating func addValue(_ field: UInt64, _ name: String, _ width: Int) {
    add(field) { value in
      value.add(1, name)
      value.add(2) { type in
        type.add(1) { tensor in
          tensor.add(1, 1)
          tensor.add(2) { shape in
            shape.add(1) { $0.add(2, "rows") }
            shape.add(1) { $0.add(1, width) }
          }
        }
      }
    }
  }
}
