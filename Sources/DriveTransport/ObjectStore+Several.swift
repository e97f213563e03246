package import DriveCore

extension ObjectStore {
    /// As many at once as the store is worth asking; in turn where that is one. Ends at the first that fails.
    package func delete(_ keys: [ObjectKey]) async throws(DriveError) {
        let width = capabilities.concurrentRequests
        guard width > 1, keys.count > 1 else {
            for key in keys { try await delete(key) }
            return
        }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (place, key) in keys.enumerated() {
                    if place >= width { try await group.next() }
                    group.addTask { try await self.delete(key) }
                }
                try await group.waitForAll()
            }
        } catch let error as DriveError {
            throw error
        } catch {
            throw DriveError(.temporary, "removing objects from the store was stopped; try again")
        }
    }
}
