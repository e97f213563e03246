import DriveCore

/// Objects in parts (S3 User Guide, "Uploading and copying objects using multipart upload"): a connection that breaks
/// costs one part, and servers bound what one request may carry.
extension S3ObjectStore {
    func putInParts(_ key: ObjectKey, _ bytes: [UInt8]) async throws(DriveError) {
        let upload = try await beginUpload(key)
        do throws(DriveError) {
            var tags: [String] = []
            for start in stride(from: 0, to: bytes.count, by: partSize) {
                let part = bytes[start..<min(start + partSize, bytes.count)]
                tags.append(try await put(part, number: tags.count + 1, of: key, upload))
            }
            try await finish(key, upload, tags)
        } catch {
            await abandon(key, upload)
            throw error
        }
    }

    private func beginUpload(_ key: ObjectKey) async throws(DriveError) -> String {
        var request = HTTPRequest("POST", address.path(of: key), query: "uploads=", subject: name(of: key))
        request.fields = [HTTPField("Content-Type", "application/octet-stream")]
        let answer = try await answer(to: request, limit: Self.longestAnswer)
        try check(answer, "store the object", subject: name(of: key))
        guard let id = S3XMLParser.parse(answer.body)?["UploadId"]?.text, !id.isEmpty else {
            throw somethingElse("an upload without a name", subject: name(of: key))
        }
        return id
    }

    private func put(
        _ part: ArraySlice<UInt8>, number: Int, of key: ObjectKey, _ upload: String
    ) async throws(DriveError) -> String {
        let query = "partNumber=\(number)&uploadId=\(S3List.encoded(upload))"
        let request = HTTPRequest("PUT", address.path(of: key), query: query, body: part, subject: name(of: key))
        let answer = try await answer(to: request, limit: Self.longestAnswer)
        try check(answer, "store the object", subject: name(of: key))
        try checkObject(answer, subject: name(of: key))
        return answer["ETag"] ?? ""
    }

    private func finish(_ key: ObjectKey, _ upload: String, _ tags: [String]) async throws(DriveError) {
        let parts = tags.enumerated().map { index, tag in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(Self.escaped(tag))</ETag></Part>"
        }
        let text =
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\(parts.joined())"
            + "</CompleteMultipartUpload>"
        var request = HTTPRequest(
            "POST", address.path(of: key), query: "uploadId=\(S3List.encoded(upload))",
            fields: [HTTPField("Content-Type", "application/xml")], body: Array(text.utf8)[...], subject: name(of: key))
        // Joining the parts takes a server minutes, in which it may send spaces (S3 API Reference,
        // "CompleteMultipartUpload").
        request.patience = 5
        var answer = try await answer(to: request, limit: Self.longestAnswer)
        answer.body = Array(answer.body.drop { $0 == 0x20 || (0x09...0x0D).contains($0) })
        try check(answer, "store the object", subject: name(of: key))
        // The status is sent before the work is done: an error may follow it.
        let root = S3XMLParser.parse(answer.body)
        if root?.name == "Error" {
            answer.status = 500
            try check(answer, "store the object", subject: name(of: key))
        }
        guard root?["ETag"] != nil else {
            throw somethingElse("an upload that does not end (\(answer.excerpt))", subject: name(of: key))
        }
    }

    /// Parts of what was never finished cost money for ever. Best effort, also where the task is cancelled.
    private func abandon(_ key: ObjectKey, _ upload: String) async {
        let request = HTTPRequest(
            "DELETE", address.path(of: key), query: "uploadId=\(S3List.encoded(upload))", subject: name(of: key))
        let attempt = Task { try? await answer(to: request, limit: Self.longestAnswer) }
        if !Task.isCancelled { _ = await attempt.value }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
