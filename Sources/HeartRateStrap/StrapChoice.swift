internal import ZoneEngine

/// Which strap is meant.
package enum StrapChoice: Hashable, Sendable {
  /// The only one that is here.
  case any
  /// The one with this name, or the only one with this part of a name; capitals make no difference.
  case named(String)
  /// The one with this address, in capitals and with colons.
  case address(String)

  /// Takes what was typed: an address where it looks like one, a name otherwise; `nil` for an empty text.
  package init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    let parts = text.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "-" || $0 == "_" }
    let isAddress = parts.count == 6 && parts.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }
    self = isAddress ? .address(parts.joined(separator: ":").uppercased()) : .named(text)
  }

  /// What can be said of the choice now.
  package enum Decision: Hashable, Sendable {
    /// Nobody is here yet who is meant, or more may come.
    case wait
    /// This one, and no other any more.
    case take(StrapDevice)
    /// Several are meant.
    case several([StrapDevice])
  }

  /// Chooses among the devices that are known.
  ///
  /// A strap that is connected already goes before one that was paired, and that before others. Several of the same rank
  /// are not chosen from, and whether there are several is not known before the room was listened to for a while.
  ///
  /// - Parameter isSettled: whether it was.
  package func decide(among devices: [StrapDevice], isSettled: Bool) -> Decision {
    let pool = candidates(among: devices)
    if case .address = self { return pool.first.map { .take($0) } ?? .wait }
    let connected = pool.filter(\.isConnected)
    if connected.count == 1 { return .take(connected[0]) }
    guard isSettled, !pool.isEmpty else { return .wait }
    if pool.count == 1 { return .take(pool[0]) }
    let known = pool.filter { $0.isPaired || $0.isTrusted }
    return connected.isEmpty && known.count == 1 ? .take(known[0]) : .several(pool)
  }

  /// The devices that are here and may be meant.
  package func candidates(among devices: [StrapDevice]) -> [StrapDevice] {
    let here = devices.filter { $0.isHere && !$0.isBlocked }
    switch self {
    case .any: return here.filter(\.offersHeartRate)
    case .address(let address): return here.filter { $0.address == address }
    case .named(let name):
      let wanted = name.lowercased()
      let exact = here.filter { $0.name?.lowercased() == wanted }
      let matching = exact.isEmpty ? here.filter { $0.name?.lowercased().contains(wanted) == true } : exact
      // A device without a heart rate matches only when no strap does, to say that it has none.
      let straps = matching.filter(\.offersHeartRate)
      return straps.isEmpty ? matching : straps
    }
  }

  /// What was typed after `strap`; empty when nothing was.
  package var text: String {
    switch self {
    case .any: ""
    case .named(let text), .address(let text): text
    }
  }
}
