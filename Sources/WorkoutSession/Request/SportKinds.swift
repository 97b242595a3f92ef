/// The kinds of sport that the words of a name say, such as `trail_running`, `Nordic Ski` or `emountainbikeride`.
///
/// A word counts as a whole, or where it is made of known ones: `skipping rope` is no skiing, and `throwing` no rowing.
struct SportKinds: OptionSet, Sendable {
  let rawValue: Int

  static let running = SportKinds(rawValue: 1 << 0)
  static let walking = SportKinds(rawValue: 1 << 1)
  static let hiking = SportKinds(rawValue: 1 << 2)
  static let treadmill = SportKinds(rawValue: 1 << 3)
  static let marching = SportKinds(rawValue: 1 << 4)
  static let cycling = SportKinds(rawValue: 1 << 5)
  static let swimming = SportKinds(rawValue: 1 << 6)
  static let rowing = SportKinds(rawValue: 1 << 7)
  static let skiing = SportKinds(rawValue: 1 << 8)
  static let elliptical = SportKinds(rawValue: 1 << 9)
  /// Paddles, skates, and bicycles that go nowhere.
  static let otherOffFoot = SportKinds(rawValue: 1 << 10)
  /// By a motor, a horse or a wheelchair, whatever else the name says: `motorcycling`, `wheelchair_push_run`.
  static let carried = SportKinds(rawValue: 1 << 11)
  /// A race of several sports that does not name them: `triathlon`.
  static let severalSports = SportKinds(rawValue: 1 << 12)

  private static let onFoot: SportKinds = [.running, .walking, .hiking, .treadmill, .marching]

  init(rawValue: Int) { self.rawValue = rawValue }

  /// The kinds that a name says, in any case; none where no word is known.
  /// - Complexity: O(n) of its characters.
  init(named name: String) {
    let words = name.lowercased().split { !$0.isLetter }
    self = words.reduce(into: []) { $0.formUnion(Self.kinds(of: $1)) }
    // What pulls a water skier is a boat.
    if contains(.skiing), words.contains(where: { $0 == "water" || $0 == "jet" }) { insert(.carried) }
  }

  /// Whether steps are made, and nothing else carries.
  var isOnFoot: Bool { !isDisjoint(with: Self.onFoot) && !contains(.carried) && !isMultisport }

  /// Whether it is done by something other than steps, or by more than them; of a race of sports that it does not name nobody knows.
  var isOffFoot: Bool { !isOnFoot && !subtracting(.severalSports).isEmpty }

  /// Whether several sports follow each other: two of swimming, cycling and running, or a race that is known for that.
  var isMultisport: Bool {
    guard !contains(.carried) else { return false }
    return contains(.severalSports) || intersection([.swimming, .cycling, .running]).rawValue.nonzeroBitCount > 1
  }

  // MARK: - Words

  /// The most bytes of a word that is looked for.
  private static let longestWord = 40
  private static let longestPart = 14

  private static func kinds(of word: Substring) -> SportKinds {
    if let kinds = parts[String(word)] { return kinds }
    guard word.utf8.count <= longestWord else { return [] }
    if carriers.contains(where: { word.hasPrefix($0) }) { return .carried }
    if let kinds = kinds(ofParts: Array(word.utf8)) { return kinds }
    return endings.first { word.hasSuffix($0.key) }?.value ?? []
  }

  /// The kinds of a word that is made of known ones, such as `swimbikerun`; `nil` for another word.
  private static func kinds(ofParts word: [UInt8]) -> SportKinds? {
    // What follows each place, where it is made of known words.
    var following = [SportKinds?](repeating: nil, count: word.count + 1)
    following[word.count] = []
    for start in word.indices.reversed() {
      for end in stride(from: min(word.count, start + longestPart), to: start, by: -1) {
        guard let rest = following[end], let part = parts[String(decoding: word[start..<end], as: UTF8.self)] else {
          continue
        }
        following[start] = part.union(rest)
        break
      }
    }
    return following[0]
  }

  /// How words begin that say what carries.
  private static let carriers = ["moto", "horse", "equestrian", "wheelchair", "waterski", "jetski"]

  /// How words end whose beginning need not be known.
  private static let endings: KeyValuePairs<String, SportKinds> = [
    "running": .running, "jogging": .running, "walking": .walking, "hiking": .hiking, "trekking": .hiking,
    "cycling": .cycling, "biking": .cycling, "skiing": .skiing, "swimming": .swimming,
  ]

  /// Words of sports, and words that stand before or behind them, as programs and devices name sports.
  private static let parts: [String: SportKinds] = {
    var parts: [String: SportKinds] = [:]
    let words: KeyValuePairs<SportKinds, String> = [
      .running: "run runs running runner jog jogs jogging jogger joggen",
      .walking: "walk walks walking walker walken",
      .hiking: "hike hikes hiking hiker trek treks trekking",
      .treadmill: "treadmill",
      .marching: "march marches marching",
      .cycling: """
      cycle cycles cycling cyclist cyclisme cyclocross bicycle bicycling bike bikes biking biker biken ebike ebikes ebiking \
      ride rides riding
      """,
      .swimming: "swim swims swimming swimmer",
      .rowing: "row rows rowing rower",
      .skiing: "ski skis skiing skier skimo skijoring",
      .elliptical: "elliptical ellipticals",
      .severalSports: """
      multisport multisports triathlon triathlons duathlon duathlons aquathlon aquathlons aquabike aquabikes quadrathlon \
      quadrathlons
      """,
      .otherOffFoot: """
      spin spins spinning paddle paddling paddler paddleboard paddleboarding kayak kayaks kayaking canoe canoes canoeing \
      skate skates skating skater skateboard skateboarding
      """,
      []: """
      afternoon alpine alpin backcountry beach city commute country cross downhill easy emountain erg evening fahren fell \
      fitness forest fun gravel group hand ice indoor inline interval langlauf lap lauf laufen long lunch machine marathon \
      morning mountain night nordic off open outdoor pace park pool power race racing recovery road roller speed sport \
      sports stand stationary street tempo touren tour touring track trail training tri ultra uni up urban virtual water \
      workout
      """,
    ]
    for (kinds, list) in words {
      for word in list.split(separator: " ") { parts[String(word)] = kinds }
    }
    return parts
  }()
}
