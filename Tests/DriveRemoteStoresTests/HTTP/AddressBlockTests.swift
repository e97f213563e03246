import Testing

@testable import DriveRemoteStores

/// Ranges of addresses in NO_PROXY, as curl and programs in Go take them.
struct AddressBlockTests {
    private static let cases: [(block: String, host: String, isInside: Bool)] = [
        ("10.0.0.0/8", "10.1.2.3", true), ("10.0.0.0/8", "11.1.2.3", false), ("10.9.9.9/8", "10.1.2.3", true),
        ("192.168.8.0/21", "192.168.15.255", true), ("192.168.8.0/21", "192.168.16.0", false),
        ("0.0.0.0/0", "1.2.3.4", true), ("0.0.0.0/0", "::1", false), ("::/0", "1.2.3.4", false),
        ("10.0.0.1/32", "10.0.0.1", true), ("10.0.0.1/32", "10.0.0.2", false), ("10.0.0.1", "10.0.0.1", true),
        ("fd00::/8", "fd12:3456::1", true), ("fd00::/8", "fe80::1", false), ("[fd00::]/8", "fd12:3456::1", true),
        ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
        ("::1/128", "0:0:0:0:0:0:0:1", true), ("::1", "::1", true),
        // No name is looked up, and none is an address.
        ("127.0.0.0/8", "localhost", false), ("10.0.0.0/8", "10.example", false), ("10.0.0.0/8", "10.1.2", false),
    ]

    @Test(arguments: cases.indices) func addressesAreInside(_ number: Int) throws {
        let (text, host, isInside) = Self.cases[number]
        let block = try #require(AddressBlock(text[...]), "\(text)")
        #expect(block.contains(host) == isInside, "\(text) \(host)")
    }

    @Test(arguments: [
        "", "/", "/8", "10/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "fd00::/129",
        "10.0.0.0/255.0.0.0", "example/8", "10.0.0.0/99999999999999999999", "10.0.0.1:80",
    ])
    func whatIsNoneIsNone(_ text: String) { #expect(AddressBlock(text[...]) == nil) }

    @Test func noProxyTakesThem() {
        func isExempt(_ host: String, _ list: String) -> Bool {
            HTTPProxy.isExempt(HTTPOrigin(.https, host: host), ["no_proxy": list])
        }
        for (host, list, expected) in [
            ("10.1.2.3", "localhost, 10.0.0.0/8", true), ("11.1.2.3", "localhost,10.0.0.0/8", false),
            ("fd12::1", "FD00::/8", true), ("fd12::1", "[fd12::1]", true), ("fd12::1", "fd12:0::1", true),
            ("nas.example", "10.0.0.0/8,.example", true), ("10.1.2.3", "10.1.2.3:443", true),
            ("10.1.2.3", "10.1.2.3:80", false),
            // Below a name are names, below numbers nothing.
            ("10.1.2.3", "2.3", false), ("10.1.2.3", ".3", false),
        ] {
            #expect(isExempt(host, list) == expected, "\(host) \(list)")
        }
    }
}
