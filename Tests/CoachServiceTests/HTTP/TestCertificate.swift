@testable import CoachService

/// Certificates that were made for the tests, each of itself and for a hundred years.
enum TestCertificate {
  /// That of `a.example.org`.
  static let first = HTTPServerSettings.TLS(certificate: Array(firstText.utf8), key: Array(firstKey.utf8))
  /// That of `b.example.org`.
  static let second = HTTPServerSettings.TLS(certificate: Array(secondText.utf8), key: Array(secondKey.utf8))

  private static let firstText = """
    -----BEGIN CERTIFICATE-----
    MIIBhzCCAS2gAwIBAgIURKpQqZB+QZKXYfxWd74HB18HreQwCgYIKoZIzj0EAwIw
    GDEWMBQGA1UEAwwNYS5leGFtcGxlLm9yZzAgFw0yNjExMjcyMTE0MDRaGA8yMTI2
    MTEwMzIxMTQwNFowGDEWMBQGA1UEAwwNYS5leGFtcGxlLm9yZzBZMBMGByqGSM49
    AgEGCCqGSM49AwEHA0IABMj7JGK70i3LixxRuQRU3ifs2l01VUk0WciIMHkWGf9i
    2wVrzc5TypF0hFiDD+G5VAqeEk0wMpyKNdyuukBPjEKjUzBRMB0GA1UdDgQWBBQ/
    SKw+Bu2wwiBJDyhj5r58N91kRTAfBgNVHSMEGDAWgBQ/SKw+Bu2wwiBJDyhj5r58
    N91kRTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIFu+JTQyla7Y
    cVZaDx2dsCCdHH/vxYyqOe2F+Tfs4Ud0AiEAtt1LBhdlupdzPOt0USyADj/z0MgC
    3RLFzstgFEKxvmQ=
    -----END CERTIFICATE-----

    """

  private static let firstKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrzqUS04dYhI2lc5l
    48XjiMRC75aYXaRADuatWxHMBHyhRANCAATI+yRiu9Ity4scUbkEVN4n7NpdNVVJ
    NFnIiDB5Fhn/YtsFa83OU8qRdIRYgw/huVQKnhJNMDKcijXcrrpAT4xC
    -----END PRIVATE KEY-----

    """

  private static let secondText = """
    -----BEGIN CERTIFICATE-----
    MIIBhzCCAS2gAwIBAgIURE/tjcDB7pMQUB5tJKGVuW4e4O0wCgYIKoZIzj0EAwIw
    GDEWMBQGA1UEAwwNYi5leGFtcGxlLm9yZzAgFw0yNjExMjcyMTE0MDRaGA8yMTI2
    MTEwMzIxMTQwNFowGDEWMBQGA1UEAwwNYi5leGFtcGxlLm9yZzBZMBMGByqGSM49
    AgEGCCqGSM49AwEHA0IABEjoH18+WIjnOBl5DmfWftmvQVS6BvRpwDRQ3e5PgdaR
    Rf0ZNtIVuP7M3V2oTevQ6GjeUdJHfhnO7DWzrUfeUj+jUzBRMB0GA1UdDgQWBBTn
    HPQuYWlFALhMyoBuNWdFWFh/SDAfBgNVHSMEGDAWgBTnHPQuYWlFALhMyoBuNWdF
    WFh/SDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQC+RMIb64nD
    2UxMW1Oov2fxms5G59B6LIB4ZXK5TR0qkAIgASac7rcH88ovQHkeaAsqIfEri6Kk
    Vq3tOyAI3e8m4f0=
    -----END CERTIFICATE-----

    """

  private static let secondKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQFSXypReN2fkjP6J
    bvjtkDqrHgmL77UnGgdWIOWYq4ChRANCAARI6B9fPliI5zgZeQ5n1n7Zr0FUugb0
    acA0UN3uT4HWkUX9GTbSFbj+zN1dqE3r0Oho3lHSR34Zzuw1s61H3lI/
    -----END PRIVATE KEY-----

    """
}
