internal import Recordings

extension InputCheck {
  /// The JSON array of SensoGather: as a stream in pieces, and as a file.
  package static let sensoGather = rows(.objects, name: "sensogather", seeds: SensoGatherSeeds.all)
}
