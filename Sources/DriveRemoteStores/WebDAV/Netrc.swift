import DriveCore

/// The file in which curl, ftp and others look for names and passwords of hosts, in curl's form
/// (everything.curl.dev, "netrc"): words between white space or in double quotes.
struct Netrc {
    private struct Entry {
        /// Nil for what holds of every host.
        var host: String?
        var login: String?
        var password: String?
    }

    private var entries: [Entry] = []

    init(_ text: String) {
        var words = Words(text)
        while let word = words.next() {
            switch word {
            case "machine": entries.append(Entry(host: words.next()?.lowercased()))
            case "default": entries.append(Entry())
            case "macdef": words.skipMacro()
            case "login": take(&words) { $0.login = $1 }
            case "password": take(&words) { $0.password = $1 }
            case "account": _ = words.next()
            default: break
            }
        }
    }

    private mutating func take(_ words: inout Words, _ set: (inout Entry, String) -> Void) {
        guard let value = words.next(), !entries.isEmpty else { return }
        set(&entries[entries.count - 1], value)
    }

    /// Of the first entry for the host, and for the user where one is given.
    func credentials(host: String, user: String?) -> StoreCredentials? {
        for entry in entries where entry.host == nil || entry.host == host.lowercased() {
            if let user, let login = entry.login, login != user { continue }
            guard let name = user ?? entry.login, let password = entry.password else { continue }
            return StoreCredentials(user: name, secret: Secret(password))
        }
        return nil
    }

    private struct Words {
        private var rest: Substring
        /// There a `#` begins a comment.
        private var isAtLineStart = true

        init(_ text: String) { rest = text[...] }

        mutating func next() -> String? {
            skipSpace()
            while isAtLineStart, rest.first == "#" {
                rest = rest.drop { !$0.isNewline }
                skipSpace()
            }
            isAtLineStart = false
            guard let first = rest.first else { return nil }
            if first == "\"" { return quoted() }
            let word = rest.prefix { !$0.isWhitespace }
            rest = rest.dropFirst(word.count)
            return String(word)
        }

        private mutating func skipSpace() {
            let space = rest.prefix { $0.isWhitespace }
            if space.contains(where: \.isNewline) { isAtLineStart = true }
            rest = rest.dropFirst(space.count)
        }

        /// With `\n`, `\r`, `\t`, and a backslash before any other character for itself.
        private mutating func quoted() -> String {
            var word = ""
            var isEscaped = false
            while let character = rest.dropFirst().first {
                rest = rest.dropFirst()
                if isEscaped {
                    word.append(["n": "\n", "r": "\r", "t": "\t"][character] ?? character)
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    break
                } else {
                    word.append(character)
                }
            }
            rest = rest.dropFirst()
            return word
        }

        /// A macro ends at the next empty line.
        mutating func skipMacro() {
            while !rest.isEmpty {
                let line = rest.prefix { !$0.isNewline }
                rest = rest.dropFirst(line.count + 1)
                if line.allSatisfy(\.isWhitespace) { break }
            }
            isAtLineStart = true
        }
    }
}
