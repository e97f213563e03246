import CLinux
import DriveCore
import Glibc

/// A number that differs at every boot of the machine (random(4)); nil where the system hides it.
public func bootID() -> String? {
    let number = Array("/proc/sys/kernel/random/boot_id".utf8).withPathPointer { Glibc.open($0, O_RDONLY | O_CLOEXEC) }
    guard number >= 0 else { return nil }
    let file = Descriptor(number)
    let bytes = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
        count = max(0, dd_read(file.number, buffer.baseAddress, buffer.count))
    }
    let text = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    return text.isEmpty ? nil : text
}

/// The machine's clock.
public struct SystemClock: WallClock {
    public init() {}

    public func milliseconds() -> UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return UInt64(max(0, now.tv_sec)) * 1000 + UInt64(now.tv_nsec) / 1_000_000
    }
}

/// The kernel's random bits.
public struct SystemEntropy: Entropy {
    public init() {}

    public func next() -> UInt64 { UInt64.random(in: 0...(.max)) }
}

/// How a device is called until its owner says otherwise: the short host name, as far as a label may hold it.
public func defaultDeviceLabel() -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    bytes.withUnsafeMutableBytes { buffer in
        _ = gethostname(buffer.assumingMemoryBound(to: CChar.self).baseAddress!, buffer.count - 1)
    }
    return deviceLabel(fromHostName: String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
}

/// At most 40 bytes, whole characters, without `/`, control characters and parentheses, which would make derived names
/// ambiguous; "device" where nothing is left.
func deviceLabel(fromHostName name: String) -> String {
    var label = ""
    for scalar in (name.split(separator: ".", omittingEmptySubsequences: false).first ?? "").unicodeScalars {
        let isRefused = scalar == "/" || scalar == "(" || scalar == ")" || scalar.properties.generalCategory == .control
        if isRefused { continue }
        if label.utf8.count + String(scalar).utf8.count > 40 { break }
        label.unicodeScalars.append(scalar)
    }
    return label.isEmpty ? "device" : label
}
