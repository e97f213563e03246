import Foundation

/// `pdf,odt`; blanks around a part and a dot before it do not count.
struct EndingList {
    /// Without their dots.
    let endings: [String]

    /// Nil where there is none: an option that asks for nothing would find everything.
    init?(_ text: String) {
        // By scalars: a mark behind a comma or dot would make one Character with it.
        endings = text.unicodeScalars.split(separator: ",")
            .map { String(String($0).trimmingCharacters(in: .whitespaces).unicodeScalars.drop { $0 == "." }) }
            .filter { !$0.isEmpty }
        if endings.isEmpty { return nil }
    }
}
