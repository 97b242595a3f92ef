/// A sport with its more precise kind, in the numbers of the FIT profile.
package struct FITSport: Hashable, Sendable {
  /// The sport; `nil` when it is not stated.
  package let sport: Int?
  /// The kind of the sport; `nil` when it is not stated.
  let kind: Int?

  /// Creates the value from its parts.
  package init(sport: Int?, kind: Int?) {
    self.sport = sport
    self.kind = kind
  }

  /// The name in the profile, such as `running`; `nil` for a number that has none here.
  package var name: String? { sport.flatMap { Self.names[$0] } }

  /// Whether cycles are the strides of one leg: running, walking and hiking, also on a machine.
  package var isOnFoot: Bool {
    switch sport {
    case 1, 11, 17: true
    // Generic and fitness equipment: a treadmill, walking or running indoors.
    case 0, 4: [1, 27, 45].contains(kind)
    default: false
    }
  }

  /// The number of a name in the profile, such as `running`; `nil` when the profile does not have it.
  package static func number(named name: String) -> Int? { names.first { $0.value == name }?.key }

  /// Source: Garmin, FIT SDK, *Global FIT Profile*, type sport.
  private static let names: [Int: String] = [
    0: "generic", 1: "running", 2: "cycling", 3: "transition", 4: "fitness_equipment", 5: "swimming",
    6: "basketball", 7: "soccer", 8: "tennis", 9: "american_football", 10: "training", 11: "walking",
    12: "cross_country_skiing", 13: "alpine_skiing", 14: "snowboarding", 15: "rowing", 16: "mountaineering",
    17: "hiking", 18: "multisport", 19: "paddling", 20: "flying", 21: "e_biking", 22: "motorcycling",
    23: "boating", 24: "driving", 25: "golf", 26: "hang_gliding", 27: "horseback_riding", 28: "hunting",
    29: "fishing", 30: "inline_skating", 31: "rock_climbing", 32: "sailing", 33: "ice_skating",
    34: "sky_diving", 35: "snowshoeing", 36: "snowmobiling", 37: "stand_up_paddleboarding", 38: "surfing",
    39: "wakeboarding", 40: "water_skiing", 41: "kayaking", 42: "rafting", 43: "windsurfing",
    44: "kitesurfing", 45: "tactical", 46: "jumpmaster", 47: "boxing", 48: "floor_climbing", 49: "baseball",
    53: "diving", 62: "hiit", 64: "racket", 65: "wheelchair_push_walk", 66: "wheelchair_push_run",
    67: "meditation", 69: "disc_golf", 71: "cricket", 72: "rugby", 73: "hockey", 74: "lacrosse",
    75: "volleyball", 76: "water_tubing", 77: "wakesurfing",
  ]
}
