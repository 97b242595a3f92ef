// swift-tools-version: 6.2
import PackageDescription

/// The same strictness as in the package that is measured.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "coach-benchmarks",
  dependencies: [.package(name: "coach", path: "..")],
  targets: [
    .executableTarget(
      name: "coach-benchmarks",
      dependencies: [.product(name: "ZoneEngine", package: "coach")],
      swiftSettings: strict)
  ]
)
