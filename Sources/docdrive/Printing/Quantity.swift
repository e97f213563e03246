/// Numbers for people.
enum Quantity {
    /// 12,408
    static func count(_ number: some BinaryInteger) -> String {
        let digits = Array(String(number).utf8)
        var result: [UInt8] = []
        for (place, digit) in digits.enumerated() {
            let left = digits.count - place
            if left % 3 == 0, let last = result.last, last != 0x2D { result.append(0x2C) }
            result.append(digit)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// 1 file, 2 files
    static func count(_ number: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        "\(count(number)) \(number == 1 ? one : many ?? one + "s")"
    }

    /// 2 to 5, 8, 9
    static func numbers(_ numbers: Set<UInt64>) -> String {
        var runs: [ClosedRange<UInt64>] = []
        for number in numbers.sorted() {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        return runs.map { run in
            switch run.upperBound - run.lowerBound {
            case 0: "\(run.lowerBound)"
            case 1: "\(run.lowerBound), \(run.upperBound)"
            default: "\(run.lowerBound) to \(run.upperBound)"
            }
        }.joined(separator: ", ")
    }

    /// 4.2 MiB
    static func bytes(_ number: UInt64) -> String {
        if number < 1024 { return number == 1 ? "1 byte" : "\(number) bytes" }
        var value = Double(number)
        var unit = 0
        let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        value /= 1024
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        return tenths >= 100 ? "\(tenths / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
