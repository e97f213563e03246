import DriveCore

extension ContentUse {
    /// Every object of the store that contents in use lie in. Reads the lists of very large ones, and throws where one of
    /// them cannot be read: what it names is unknown then.
    func objects(on transport: any Transport) async throws -> Set<ObjectKey> {
        var result: Set<ObjectKey> = []
        var listed: Set<Content> = []
        try eachContent { content in
            for chunk in content.namedChunks { result.insert(chunk.object) }
            if case .list = content.body { listed.insert(content) }
        }
        for content in listed { result.formUnion(try await transport.objects(of: content)) }
        return result
    }
}
