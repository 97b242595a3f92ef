internal import TextFormats

/// How much may come of one who asks: each has a bucket that fills with time.
struct RateLimits {
  /// How many requests a second.
  static let requestsPerSecond = 20
  /// How many samples a second.
  static let samplesPerSecond = 2_000
  /// How many seconds of requests may come at once.
  private static let requestBurst = 2.0
  /// How many seconds of samples may come at once, as after a time without a network.
  private static let sampleBurst = 5.0

  private struct Bucket {
    var requests: Double
    var samples: Double
    var time: Int64
  }

  /// Where the bucket of somebody stands, for as long as nobody has emptied all.
  struct Place: Sendable {
    fileprivate let index: Int
    fileprivate let round: Int
  }

  /// How many buckets there are at most.
  static let most = 100_000

  private var places: [String: Int] = [:]
  private var buckets: [Bucket] = []
  /// How often all were let go.
  private var round = 0

  /// Where the bucket of somebody stands; one that is not there yet is made, and full.
  mutating func place(of id: String, now: WallClockTime) -> Place {
    if let index = places[id] { return Place(index: index, round: round) }
    if buckets.count > Self.most {
      places.removeAll()
      buckets.removeAll()
      round += 1
    }
    places[id] = buckets.count
    buckets.append(
      Bucket(
        requests: Double(Self.requestsPerSecond) * Self.requestBurst,
        samples: Double(Self.samplesPerSecond) * Self.sampleBurst, time: now.nanoseconds))
    return Place(index: buckets.count - 1, round: round)
  }

  /// Takes one request; `false` when there were too many.
  ///
  /// - Parameter place: where the bucket stood when somebody looked.
  mutating func takeRequest(of id: String, at place: Place? = nil, now: WallClockTime) -> Bool {
    change(id, place, now) { bucket in
      guard bucket.requests >= 1 else { return false }
      bucket.requests -= 1
      return true
    }
  }

  /// Takes samples; the seconds until they may come when there were too many.
  ///
  /// - Parameter place: where the bucket stood when somebody looked.
  mutating func takeSamples(_ count: Int, of id: String, at place: Place? = nil, now: WallClockTime) -> Int? {
    change(id, place, now) { bucket in
      // What does not fit into a bucket that is full may still come, and has to be made up for.
      let needed = min(Double(count), Double(Self.samplesPerSecond))
      guard bucket.samples >= needed else {
        // Whole seconds after which it is let in, if nothing else has come by then.
        return max(1, Int(((needed - bucket.samples) / Double(Self.samplesPerSecond)).rounded(.up)))
      }
      bucket.samples -= Double(count)
      return nil
    }
  }

  /// Takes the place of samples for records that came of what was sent. They have come already, and are made up for by what follows.
  ///
  /// - Parameter place: where the bucket stood when somebody looked.
  mutating func charge(records count: Int, to id: String, at place: Place? = nil, now: WallClockTime) {
    change(id, place, now) { $0.samples -= Double(count) }
  }

  /// Changes a bucket after it was filled with the time that has passed.
  private mutating func change<Answer>(
    _ id: String, _ known: Place?, _ now: WallClockTime, _ body: (inout Bucket) -> Answer
  ) -> Answer {
    if let known, known.round == round { return Self.change(&buckets[known.index], now, body) }
    let made = place(of: id, now: now)
    return Self.change(&buckets[made.index], now, body)
  }

  private static func change<Answer>(
    _ bucket: inout Bucket, _ now: WallClockTime, _ body: (inout Bucket) -> Answer
  ) -> Answer {
    let (requests, samples) = (Double(requestsPerSecond), Double(samplesPerSecond))
    let seconds = max(0, Double(now.nanoseconds - bucket.time) / 1e9)
    bucket.requests = min(requests * requestBurst, bucket.requests + seconds * requests)
    bucket.samples = min(samples * sampleBurst, bucket.samples + seconds * samples)
    bucket.time = now.nanoseconds
    return body(&bucket)
  }
}
