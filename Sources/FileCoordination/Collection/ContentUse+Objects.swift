import DriveCore

/// The objects of the store that contents in use lie in.
struct UsedObjects {
    /// Named by the contents themselves.
    private(set) var named: Set<ObjectKey> = []
    /// Contents so large that they name a list, which names the rest.
    private var listed: Set<Content> = []

    init(_ use: ContentUse) throws {
        try use.eachContent { content in
            for chunk in content.namedChunks { named.insert(chunk.object) }
            if case .list = content.body { listed.insert(content) }
        }
    }

    /// Reads the lists, and throws where one of them cannot be read: what it names is unknown then.
    func all(on transport: any Transport) async throws -> Set<ObjectKey> {
        var result = named
        for content in listed { result.formUnion(try await transport.objects(of: content)) }
        return result
    }
}
