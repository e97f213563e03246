import Glibc

/// One end of the socket between pool and worker.
package struct Channel: Sendable {
    package enum End: Error, Equatable {
        case late
        /// The other end is gone, or sent what is no frame.
        case broken
    }

    package let descriptor: Int32

    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Without a deadline it waits for ever.
    package func send(_ body: [UInt8], by deadline: Deadline? = nil) throws(End) {
        let bytes = Frame.wrap(body)
        var sent = 0
        while sent < bytes.count {
            try wait(for: POLLOUT, by: deadline)
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    descriptor, buffer.baseAddress! + sent, buffer.count - sent,
                    Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { throw .broken }
            sent += count
        }
    }

    /// Nil where the other end closed the channel between two frames.
    package func receive(by deadline: Deadline? = nil) throws(End) -> [UInt8]? {
        guard let head = try receive(Frame.headLength, by: deadline) else { return nil }
        let length = Frame.length(head)
        guard length <= Frame.limit, head.count == Frame.headLength else { throw .broken }
        if length == 0 { return [] }
        guard let body = try receive(length, by: deadline), body.count == length else { throw .broken }
        return body
    }

    /// Fewer at the end; nil without any.
    private func receive(_ count: Int, by deadline: Deadline?) throws(End) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(count, 1 << 20))
        while bytes.count < count {
            try wait(for: POLLIN, by: deadline)
            let got = recv(descriptor, &buffer, min(buffer.count, count - bytes.count), 0)
            if got < 0, errno == EINTR { continue }
            if got <= 0 { return bytes.isEmpty ? nil : bytes }
            bytes += buffer[..<got]
        }
        return bytes
    }

    private func wait(for event: Int32, by deadline: Deadline?) throws(End) {
        while true {
            var poller = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            let ready = poll(&poller, 1, deadline?.milliseconds ?? -1)
            if ready > 0 { return }
            if ready == 0 { throw .late }
            guard errno == EINTR else { throw .broken }
        }
    }
}
