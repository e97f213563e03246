extension FormatParser {
    mutating func argument(_ index: Int, _ conversion: FormatConversion) throws(PredicateSyntaxError) -> ValueExpression
    {
        if conversion == .key { return .keyPath(try keys(ofArgument: index)) }
        let value = try value(ofArgument: index)
        let column = token.start
        place += 1
        switch conversion {
        case .value, .key:
            height = value.height
            try rise(above: height)
            return .constant(value)
        case .integer:
            guard let number = value.number else { throw mismatch(value, "a number", at: column) }
            return .constant(number.truncated.value)
        case .real:
            guard let number = value.number else { throw mismatch(value, "a number", at: column) }
            return .constant(.real(number.double))
        case .string:
            guard case .string = value else { throw mismatch(value, "a string", at: column) }
            return .constant(value)
        }
    }

    mutating func keys(ofArgument index: Int) throws(PredicateSyntaxError) -> [String] {
        let value = try value(ofArgument: index)
        guard case .string(let path) = value else { throw mismatch(value, "a key path", at: token.start) }
        guard let keys = KeyText.keys(of: path), keys.count <= PredicateLimits.height else {
            throw fault("the argument \"\(path.prefix(80))\" is no key path", at: token.start)
        }
        place += 1
        return keys
    }

    private func value(ofArgument index: Int) throws(PredicateSyntaxError) -> PredicateValue {
        guard index < arguments.count else {
            throw fault("this placeholder has no argument; there are \(arguments.count)", at: token.start)
        }
        return arguments[index]
    }

    private func mismatch(_ value: PredicateValue, _ wanted: String, at column: Int) -> PredicateSyntaxError {
        fault("this placeholder takes \(wanted), the argument is \(value.kindName)", at: column)
    }
}

extension PredicateNumber {
    /// Without what is behind the point, as C converts; a real out of reach stays.
    var truncated: PredicateNumber {
        guard case .real(let value) = self, let whole = Int64(exactly: value.rounded(.towardZero)) else { return self }
        return .integer(whole)
    }
}
