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
    if let kinds = Self.numbers[name] {
      self = kinds
      return
    }
    let words = name.lowercased().split { !$0.isLetter }
    self = words.reduce(into: []) { $0.formUnion(Self.kinds(of: $1)) }
    formUnion(Self.kinds(ofPhrase: words, besides: self))
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
    if let kinds = parts[String(word)] ?? otherLanguages[String(word)] { return kinds }
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

  /// The kinds that words of other languages say together, or where nothing else is said: a German who runs may do so on skates.
  private static func kinds(ofPhrase words: [Substring], besides kinds: SportKinds) -> SportKinds {
    func has(_ any: String...) -> Bool { words.contains { any.contains(String($0)) } }
    if has("tapis"), has("course", "roulant") { return [.running, .treadmill] }
    if has("course"), has("pied") { return .running }
    let skates = has("inline", "ice", "eis", "schlittschuh", "rollschuh")
    return kinds.isEmpty && !skates && has("lauf", "laufen") ? .running : []
  }

  /// What Strava writes as the type of a GPX track.
  private static let numbers: [String: SportKinds] = [
    "1": .cycling, "2": .skiing, "3": .skiing, "4": .hiking, "7": .skiing, "9": .running, "10": .walking,
    "16": .swimming, "17": .cycling, "18": .cycling,
  ]

  /// How words begin that say what carries.
  private static let carriers = ["moto", "horse", "equestrian", "wheelchair", "waterski", "jetski"]

  /// How words end whose beginning need not be known.
  private static let endings: KeyValuePairs<String, SportKinds> = [
    "running": .running, "jogging": .running, "walking": .walking, "hiking": .hiking, "trekking": .hiking,
    "cycling": .cycling, "biking": .cycling, "skiing": .skiing, "swimming": .swimming,
  ]

  /// Words of sports, and words that stand before or behind them, as programs and devices name sports.
  private static let parts: [String: SportKinds] = {
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
    return table(words)
  }()

  /// Whole words of sports in German, French, Spanish and Italian, as devices and services name them there.
  private static let otherLanguages = table([
    .running: """
    dauerlauf waldlauf traillauf berglauf volkslauf correr carrera corriendo corsa correre
    """,
    .walking: """
    gehen spazieren spaziergang marche promenade caminar caminata andar paseo camminata camminare passeggiata
    """,
    .hiking: "wandern wanderung randonnée randonnee rando senderismo excursionismo escursionismo escursione",
    [.running, .treadmill]: "laufband",
    .cycling: """
    radfahren radeln radtour radsport rennrad fahrrad fahrradfahren mountainbiken vélo velo vtt bicyclette ciclismo bicicleta \
    bicicletta bici
    """,
    .swimming: "schwimmen natation natación natacion nadar nuoto",
    .rowing: "rudern aviron remo canottaggio",
    .skiing: "langlaufen skilanglaufen esquí esqui sci",
  ])

  private static func table(_ words: KeyValuePairs<SportKinds, String>) -> [String: SportKinds] {
    var table: [String: SportKinds] = [:]
    for (kinds, list) in words {
      for word in list.split(separator: " ") { table[String(word)] = kinds }
    }
    return table
  }
}
