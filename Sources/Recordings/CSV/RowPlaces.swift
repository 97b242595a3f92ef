internal import TextFormats

/// How the places of rows are counted: by lines, or by bytes of the text, which may come out of a packed file.
struct RowPlaces: Hashable, Sendable {
  let form: RowForm
  let isUnpacked: Bool

  func position(_ place: TextLine) -> String {
    switch form {
    case .lines: "line \(place.number)"
    case .objects: position(byte: place.byteOffset)
    }
  }

  func position(byte: Int) -> String { (isUnpacked ? "unpacked " : "") + "byte \(byte)" }
}
