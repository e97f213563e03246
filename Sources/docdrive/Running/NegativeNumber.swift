/// A value of `config set` that begins with a dash, which the parser would take for an option: it is put where it is none, and the
/// setting says what it may be.
enum NegativeNumber {
    static func asValue(_ arguments: [String]) -> [String] {
        guard arguments.starts(with: ["config", "set"]), !arguments.contains("--"),
            let place = arguments.firstIndex(where: { $0.first == "-" && Int($0) != nil })
        else { return arguments }
        return arguments[..<place] + arguments[(place + 1)...] + ["--", arguments[place]]
    }
}
