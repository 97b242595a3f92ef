// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "read-recordings",
  dependencies: [.package(name: "coach", path: "../..")],
  targets: [
    .executableTarget(
      name: "read-recordings",
      dependencies: [
        .product(name: "Recordings", package: "coach"),
        .product(name: "ZoneEngine", package: "coach"),
      ],
      swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")])
  ]
)
