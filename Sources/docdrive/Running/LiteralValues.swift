/// Words behind an option of `find` that takes them as they are: none of them is an option itself.
enum LiteralValues {
    private static let options: Set<String> = ["-name", "--name", "--sort"]

    /// Where they stand. `arguments` begin with the command.
    static func places(_ arguments: [String]) -> Set<Int> {
        guard arguments.first == FindCommand.configuration.commandName else { return [] }
        var places: Set<Int> = []
        var place = 1
        while place < arguments.count, arguments[place] != "--" {
            let isOption = options.contains(arguments[place])
            if isOption { places.insert(place + 1) }
            place += isOption ? 2 : 1
        }
        return places
    }
}
