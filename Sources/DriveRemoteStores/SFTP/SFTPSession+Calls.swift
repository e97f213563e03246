import DriveCore

extension SFTPStatus: Error {}

// Requests by what they answer. A refusal is a value: often it is no error. A ticket is of the same request, sent before.
extension SFTPSession {
    func status(_ request: SFTPRequest, _ ticket: SFTPTicket? = nil) async throws(DriveError) -> SFTPStatus {
        let reply = if let ticket { try await answer(ticket) } else { try await call(request) }
        guard case .status(let status) = reply else { throw unexpected(reply, request) }
        return status
    }

    /// The handle of what `request` opens; it is to be closed once.
    func handle(_ request: SFTPRequest) async throws(DriveError) -> Result<[UInt8], SFTPStatus> {
        let reply = try await call(request)
        switch reply {
        case .handle(let handle): return .success(handle)
        case .status(let status) where status.code != .ok: return .failure(status)
        default: throw unexpected(reply, request)
        }
    }

    func attributes(_ request: SFTPRequest) async throws(DriveError) -> Result<SFTPAttributes, SFTPStatus> {
        let reply = try await call(request)
        switch reply {
        case .attributes(let attributes): return .success(attributes)
        case .status(let status) where status.code != .ok: return .failure(status)
        default: throw unexpected(reply, request)
        }
    }

    /// At most `count` bytes; empty at the end of the file.
    func read(
        _ handle: [UInt8], _ offset: UInt64, _ count: Int, _ ticket: SFTPTicket?
    ) async throws(DriveError) -> Result<ArraySlice<UInt8>, SFTPStatus> {
        let request = SFTPRequest.read(handle: handle, offset: offset, count: count)
        let reply = if let ticket { try await answer(ticket) } else { try await call(request) }
        switch reply {
        case .data(let bytes) where !bytes.isEmpty && bytes.count <= count: return .success(bytes)
        case .status(let status) where status.code == .endOfFile: return .success([])
        case .status(let status) where status.code != .ok: return .failure(status)
        default: throw unexpected(reply, request)
        }
    }

    /// The next names of an open folder; nil after the last.
    func names(_ handle: [UInt8]) async throws(DriveError) -> Result<[SFTPName]?, SFTPStatus> {
        let request = SFTPRequest.readFolder(handle: handle)
        let reply = try await call(request)
        switch reply {
        case .names(let names): return .success(names)
        case .status(let status) where status.code == .endOfFile: return .success(nil)
        case .status(let status) where status.code != .ok: return .failure(status)
        default: throw unexpected(reply, request)
        }
    }

    /// What its file system can take; nil where the server does not say.
    struct Room {
        /// That may be stored.
        var bytes: UInt64
        /// A file may be made.
        var hasFiles: Bool
        /// Nothing may be changed.
        var isReadOnly: Bool
    }

    func room(_ path: [UInt8]) async throws(DriveError) -> Room? {
        guard offers(SFTPRequest.Extension.room), case .extended(let bytes) = try await call(.room(path: path)) else {
            return nil
        }
        // OpenSSH's PROTOCOL, section 4.4: as in statvfs(3).
        var reader = SFTPPacketReader(bytes)
        var fields: [UInt64] = []
        while fields.count < 10, let field = try? reader.number() as UInt64 { fields.append(field) }
        guard fields.count == 10 else { return nil }
        let (size, isTooMuch) = fields[1].multipliedReportingOverflow(by: fields[4])
        // File systems without a number of files say 0 of 0.
        return Room(
            bytes: isTooMuch ? .max : size, hasFiles: fields[5] == 0 || fields[7] > 0, isReadOnly: fields[9] & 1 != 0)
    }

    /// An answer of another kind than asked for: nothing that follows can be trusted.
    private func unexpected(_ reply: SFTPReply, _ request: SFTPRequest) -> DriveError {
        let error = DriveError(.unreachable, "something that is not SFTP answers: \(reply.name) to \(request.name)")
        end(error)
        return error
    }
}

extension SFTPReply {
    fileprivate var name: String {
        switch self {
        case .status(let status): "status \(status.code.rawValue)"
        case .handle: "a handle"
        case .data(let bytes): "\(bytes.count) bytes of a file"
        case .names: "names"
        case .attributes: "attributes"
        case .extended: "an extended reply"
        }
    }
}

extension SFTPRequest {
    fileprivate var name: String {
        switch self {
        case .open, .openFolder: "an open"
        case .close: "a close"
        case .read(_, _, let count): "a read of \(count) bytes"
        case .write: "a write"
        case .look, .lookThroughLinks: "a look"
        case .readFolder: "a listing"
        case .remove, .makeFolder, .removeFolder, .rename: "a change of names"
        case .sync, .room, .limits: "an extended request"
        }
    }
}
