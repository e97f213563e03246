import Glibc

/// Tells the service manager how far a service is (sd_notify(3)); nothing where none asked.
public enum ServiceNotice {
    public static func send(_ text: String) {
        guard let place = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }), place.count > 1 else { return }
        var address = sockaddr_un()
        var bytes = Array(place.utf8)
        // An abstract name is written with an `@` and begins with a zero byte (unix(7)).
        if bytes[0] == 0x40 { bytes[0] = 0 }
        guard bytes[0] == 0 || bytes[0] == 0x2F, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            return
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let message = Array(text.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(socket, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}
