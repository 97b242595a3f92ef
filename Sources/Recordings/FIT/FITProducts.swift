/// The names of the makers and products that are met most, by the numbers of the FIT profile.
package enum FITProducts {
  /// A device as well as it is known.
  struct Device: Hashable, Sendable {
    /// Its name, such as `Garmin Forerunner 110`; at worst numbers.
    let name: String
    /// Whether the product has a name, and not a number.
    let isNamed: Bool
  }

  /// The device with these numbers, or with the name that the file has for it; `nil` when nothing is known.
  static func device(manufacturer: Int?, product: Int?, productName: String?) -> Device? {
    // What has no number of its own says "development": that is nobody's name.
    if manufacturer == development, product ?? 0 == 0 {
      return productName.map { Device(name: $0, isNamed: true) }
    }
    let maker = manufacturer.flatMap { name(of: $0, in: manufacturers) }
    if let productName {
      guard let maker, !productName.lowercased().hasPrefix(maker.lowercased()) else {
        return Device(name: productName, isNamed: true)
      }
      return Device(name: "\(maker) \(productName)", isNamed: true)
    }
    if manufacturer == garmin, let product, let name = name(of: product, in: garminProducts) {
      return Device(name: "Garmin \(name)", isNamed: true)
    }
    guard let manufacturer else { return nil }
    let start = maker ?? "manufacturer \(manufacturer)"
    return Device(name: product.map { "\(start) product \($0)" } ?? start, isNamed: false)
  }

  private static func name(of number: Int, in names: [(number: Int, name: String)]) -> String? {
    names.first { $0.number == number }?.name
  }

  private static let garmin = 1
  /// What programs without a number of their own write.
  package static let development = 255

  /// Source: Garmin, FIT SDK, *Global FIT Profile*, type manufacturer.
  private static let manufacturers: [(number: Int, name: String)] = [
    (1, "Garmin"), (2, "Garmin"), (3, "Zephyr"), (13, "Dynastream"), (15, "Dynastream"), (16, "Timex"),
    (19, "Beurer"), (23, "Suunto"), (32, "Wahoo"), (38, "o-synce"), (40, "Concept2"), (41, "Shimano"), (45, "Xplova"),
    (52, "Epson"), (63, "Specialized"), (68, "Cateye"), (69, "Stages"), (70, "Sigma"), (71, "TomTom"),
    (73, "Wattbike"), (76, "Moxy"), (86, "Elite"), (89, "Tacx"), (95, "Stryd"), (105, "cosinuss"), (107, "Magene"),
    (111, "Technogym"), (112, "Bryton"), (115, "iGPSPORT"), (118, "WaterRower"), (123, "Polar"), (135, "CooSpo"),
    (142, "TAG Heuer"), (150, "Myzone"), (255, "development"), (258, "Lezyne"), (260, "Zwift"), (263, "Favero"),
    (265, "Strava"), (267, "Bryton"), (268, "SRAM"), (272, "Mio"), (281, "TrainerRoad"), (282, "The Sufferfest"),
    (289, "Hammerhead"), (294, "COROS"), (305, "WHOOP"), (309, "FORM"), (310, "Decathlon"), (326, "Nike"),
    (331, "MyWhoosh"), (337, "Runna"), (339, "Zepp"), (340, "Peloton"),
  ]

  /// Source: Garmin, FIT SDK, *Global FIT Profile*, type garmin_product.
  private static let garminProducts: [(number: Int, name: String)] = [
    (717, "Forerunner 405"), (782, "Forerunner 50"), (988, "Forerunner 60"), (1018, "Forerunner 310XT"),
    (1036, "Edge 500"), (1124, "Forerunner 110"), (1169, "Edge 800"), (1325, "Edge 200"), (1328, "Forerunner 910XT"),
    (1345, "Forerunner 610"), (1436, "Forerunner 70"), (1446, "Forerunner 310XT"), (1482, "Forerunner 10"),
    (1499, "Swim"), (1551, "fēnix"), (1561, "Edge 510"), (1567, "Edge 810"), (1623, "Forerunner 620"),
    (1632, "Forerunner 220"), (1765, "Forerunner 920XT"), (1836, "Edge 1000"), (1903, "Forerunner 15"),
    (1907, "vívoactive"), (1967, "fēnix 2"), (1988, "epix"), (2050, "fēnix 3"), (2067, "Edge 520"),
    (2148, "Forerunner 25"), (2153, "Forerunner 225"), (2156, "Forerunner 630"), (2157, "Forerunner 230"),
    (2158, "Forerunner 735XT"), (2337, "vívoactive HR"), (2413, "fēnix 3 HR"), (2431, "Forerunner 235"),
    (2503, "Forerunner 35"), (2530, "Edge 820"), (2544, "fēnix 5S"), (2604, "fēnix 5X"), (2691, "Forerunner 935"),
    (2697, "fēnix 5"), (2700, "vívoactive 3"), (2713, "Edge 1030"), (2886, "Forerunner 645"),
    (2888, "Forerunner 645 Music"), (2891, "Forerunner 30"), (2900, "fēnix 5S Plus"), (2909, "Edge 130"),
    (2927, "vívosmart 4"), (3011, "Edge Explore"), (3076, "Forerunner 245"), (3077, "Forerunner 245 Music"),
    (3110, "fēnix 5 Plus"), (3111, "fēnix 5X Plus"), (3112, "Edge 520 Plus"), (3113, "Forerunner 945"),
    (3121, "Edge 530"), (3122, "Edge 830"), (3224, "vívoactive 4S"), (3225, "vívoactive 4"), (3226, "Venu"),
    (3282, "Forerunner 45"), (3288, "fēnix 6S"), (3290, "fēnix 6"), (3291, "fēnix 6X"), (3589, "Forerunner 745"),
    (3600, "Venu Sq"), (3638, "Enduro"), (3652, "Forerunner 945 LTE"), (3703, "Venu 2"), (3704, "Venu 2S"),
    (3843, "Edge 1040"), (3851, "Venu 2 Plus"), (3869, "Forerunner 55"), (3888, "Instinct 2"), (3905, "fēnix 7S"),
    (3906, "fēnix 7"), (3907, "fēnix 7X"), (3943, "epix (Gen 2)"), (3990, "Forerunner 255 Music"),
    (3992, "Forerunner 255"), (4024, "Forerunner 955"), (4061, "Edge 540"), (4062, "Edge 840"),
    (4257, "Forerunner 265"), (4432, "Forerunner 165"), (65534, "Connect"),
  ]
}
