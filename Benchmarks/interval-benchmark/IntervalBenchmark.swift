import Glibc
import StrategyStudy
import ZoneEngine

/// How often intervals of a mean over people hold the true mean, and how wide they are, by simulation.
@main
enum IntervalBenchmark {
  /// A way to make an interval of the mean of one value a person.
  enum Method: String, CaseIterable {
    /// The product's.
    case product = "student-t"
    case percentile
    case biasCorrected = "BCa"
    case studentised = "bootstrap-t"
  }

  /// How people's effects are distributed, with the true mean.
  enum Effects: String, CaseIterable {
    case normal, exponential, lognormal, heavyTailed = "t3"

    var mean: Double {
      switch self {
      case .normal, .heavyTailed: 0
      case .exponential: 1
      case .lognormal: exp(0.5)
      }
    }

    func value(_ random: inout Numbers) -> Double {
      switch self {
      case .normal: return random.normal()
      case .exponential: return -log(random.unit())
      case .lognormal: return exp(random.normal())
      case .heavyTailed:
        let squares = (0..<3).reduce(0.0) { sum, _ in
          let value = random.normal()
          return sum + value * value
        }
        return random.normal() / (squares / 3).squareRoot()
      }
    }
  }

  /// Numbers that follow from a seed.
  struct Numbers {
    private let random: CounterRandom
    private var counter: UInt64 = 0

    init(seed: UInt64) { random = CounterRandom(seed: seed, 0xC0F) }

    mutating func unit() -> Double {
      counter += 1
      return (Double(random.bits(at: counter) >> 11) + 0.5) / 9_007_199_254_740_992
    }

    mutating func place(of count: Int) -> Int { min(count - 1, Int(unit() * Double(count))) }

    /// By Box and Muller.
    mutating func normal() -> Double { (-2 * log(unit())).squareRoot() * cos(2 * Double.pi * unit()) }
  }

  static func main() {
    let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    let trials = arguments.first ?? 4_000
    let draws = arguments.dropFirst().first ?? 1_000
    print("effects,people,method,trials,coverage,median_width")
    for effects in Effects.allCases {
      for people in [3, 4, 6, 10, 20, 40] {
        for method in Method.allCases {
          var held = 0
          var widths: [Double] = []
          for trial in 0..<trials {
            var random = Numbers(seed: UInt64(trial))
            let values = (0..<people).map { _ in effects.value(&random) }
            guard let interval = interval(method, values, draws, &random) else { continue }
            if interval.lower <= effects.mean, effects.mean <= interval.upper { held += 1 }
            widths.append(interval.upper - interval.lower)
          }
          let coverage = (Double(held) / Double(trials) * 1_000).rounded() / 10
          let width = widths.isEmpty ? 0 : (widths.quantile(0.5) * 100).rounded() / 100
          print("\(effects.rawValue),\(people),\(method.rawValue),\(trials),\(coverage),\(width)")
        }
      }
    }
  }

  private static func interval(
    _ method: Method, _ values: [Double], _ draws: Int, _ random: inout Numbers
  ) -> ConfidenceInterval? {
    guard method != .product else { return Comparison.PersonMean(values)?.confidence }
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    var means: [Double] = []
    var studentised: [Double] = []
    for _ in 0..<draws {
      let drawn = values.map { _ in values[random.place(of: values.count)] }
      let drawnMean = drawn.reduce(0, +) / count
      means.append(drawnMean)
      let error = standardError(drawn, drawnMean)
      if error > 0 { studentised.append((drawnMean - mean) / error) }
    }
    switch method {
    case .product: return nil
    case .percentile: return ConfidenceInterval(lower: means.quantile(0.025), upper: means.quantile(0.975))
    case .studentised:
      let error = standardError(values, mean)
      return ConfidenceInterval(
        lower: mean - studentised.quantile(0.975) * error, upper: mean - studentised.quantile(0.025) * error)
    case .biasCorrected:
      let below = means.reduce(0.0) { $0 + ($1 < mean ? 1 : $1 == mean ? 0.5 : 0) } / Double(draws)
      let bias = normalQuantile(min(max(below, 1 / Double(draws)), 1 - 1 / Double(draws)))
      let without = values.map { (mean * count - $0) / (count - 1) }
      let differences = without.map { mean - $0 }
      let cubes = differences.reduce(0) { $0 + $1 * $1 * $1 }
      let squares = differences.reduce(0) { $0 + $1 * $1 }
      let acceleration = squares > 0 ? cubes / (6 * pow(squares, 1.5)) : 0
      let ends = [-1.959_964, 1.959_964].map { z in
        means.quantile(normalProbability(bias + (bias + z) / (1 - acceleration * (bias + z))))
      }
      return ConfidenceInterval(lower: ends[0], upper: ends[1])
    }
  }

  private static func standardError(_ values: [Double], _ mean: Double) -> Double {
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1) / Double(values.count)).squareRoot()
  }

  private static func normalProbability(_ z: Double) -> Double { 0.5 * erfc(-z / 2.0.squareRoot()) }

  private static func normalQuantile(_ probability: Double) -> Double {
    var (low, high) = (-9.0, 9.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if normalProbability(middle) < probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
