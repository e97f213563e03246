import DocumentDrive
import DriveCore
import Glibc

/// Shows both sides before a folder meets a store for the first time, and asks.
struct FirstUse {
    private var setup: DriveSetup
    let options: StoreOptions

    init(setup: DriveSetup, options: StoreOptions) throws(DriveError) {
        self.setup = setup
        self.options = options
        self.setup.bandwidth = try options.bandwidth()
        self.setup.storeID = try options.chosenStore()
    }

    enum Outcome { case ready, mended, created, joined(devices: Int, items: Int?), dryRun }

    mutating func run() async throws -> Outcome {
        let isMended = try !options.dryRun && setup.mendMarker()
        if isMended { Output.error("docdrive: \(Self.mended)") }
        if try setup.standing() == .done { return isMended ? .mended : .ready }
        if options.yes, !options.dryRun {
            let devices = try await signedIn { try await $0.check() }
            warn()
            try await carryOut()
            return devices.map { .joined(devices: $0, items: nil) } ?? .created
        }
        let look = try await signedIn { try await $0.look() }
        if options.dryRun {
            describe(look)
            Output.line("Nothing was changed.")
            return .dryRun
        }
        warn()
        try ask(look)
        try await carryOut()
        return look.there.map { .joined(devices: look.devices, items: $0.items) } ?? .created
    }

    private func carryOut() async throws {
        let farewell = try await setup.carryOut()
        Advice.drive = setup.folder
        if farewell.trashed > 0 {
            Output.error(
                "docdrive: \(Quantity.count(farewell.trashed, "version")) that the store of before never got went to the trash; "
                    + "`docdrive trash ls` lists the trash")
        }
        if farewell.left > 0 {
            Output.error(
                "docdrive: \(Quantity.count(farewell.left, "version")) that the store of before never got could not be read whole; "
                    + "`docdrive doctor` says where the rest of them is")
        }
    }

    private static let mended = "the drive had lost .docdrive/replica; it is written anew"

    private func warn() { if let caution = setup.store?.caution { Output.error("docdrive: \(caution)") } }

    /// Who is asked for a password may mistype it.
    private mutating func signedIn<Found>(_ look: (DriveSetup) async throws -> Found) async throws -> Found {
        var left = 3
        while true {
            do { return try await look(setup) } catch let error as DriveError where error.kind == .notAuthenticated {
                guard case .remote(let url) = setup.store, url.takesCredentials, left > 0 else { throw error }
                if left < 3 { Output.error(Sentence(error).text) }
                left -= 1
                guard let credentials = SignIn(url: url).ask() else { throw error }
                setup.credentials = credentials
            }
        }
    }

    private func ask(_ look: FirstLook) throws {
        guard Output.isInputTerminal else {
            throw DriveError(
                .usage, "nothing was changed, since nobody can be asked; look with --dry-run, then say --yes",
                path: look.folder.description)
        }
        describe(look)
        try Question.ask("Go on?")
    }

    private func describe(_ look: FirstLook) {
        let size = "\(Quantity.count(look.here.items, "item")), \(Quantity.bytes(look.here.bytes))"
        Output.line("Folder  \(Escaped.text(look.folder.description)): \(look.folderExists ? size : "will be made")")
        guard let store = look.store else { return }
        guard let there = look.there else {
            Output.line("Store   \(Escaped.text(store.text)): will be made; everything in the folder goes there")
            return
        }
        Output.line(
            "Store   \(Escaped.text(store.text)): \(Quantity.count(there.items, "item")), "
                + "\(Quantity.bytes(there.bytes)), \(Quantity.count(look.devices, "device"))")
        Output.line("        \(Quantity.count(look.onlyThere)) only there come here")
        Output.line("        \(Quantity.count(look.onlyHere)) only here go there")
        if look.alike > 0 {
            Output.line("        \(Quantity.count(look.alike)) the same on both sides become one")
        }
        if look.undecided > 0 {
            Output.line(
                "        \(Quantity.count(look.undecided)) of equal size, not compared now: equal ones become one, "
                    + "of others both are kept")
        }
        if look.differing > 0 {
            Output.line("        \(Quantity.count(look.differing)) differ: both are kept, one of them as a copy")
        }
    }
}
