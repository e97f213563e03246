import CMail
import DriveImporting
import Glibc

/// Takes what GMime finds in a file.
final class MailGatherer {
    private let limits: ImportLimits
    private let isMailbox: Bool
    private var gathered = ImportedMetadata()
    private var text: TextGatherer
    /// The attributes are those of the message itself; an mbox has many, and messages in messages are others'.
    private var isOutermost = false
    private(set) var hasFields = false

    init(limits: ImportLimits, isMailbox: Bool) {
        self.limits = limits
        self.isMailbox = isMailbox
        text = TextGatherer(limit: limits.textBytes)
    }

    var metadata: ImportedMetadata {
        var result = gathered
        result.set(text)
        return result
    }

    /// Zero, or a negative number of the error.
    func read(_ file: ImportFile) -> Int32 {
        var reader = dd_mail_reader(
            context: Unmanaged.passUnretained(self).toOpaque(), message: takeMessage, field: takeField, date: takeDate,
            text: takeText, goes_on: goesOn)
        return dd_mail_read(file.descriptor, isMailbox, limits.textBytes, &reader)
    }

    fileprivate var isFull: Bool { text.isFull }

    fileprivate func beginMessage(depth: Int) {
        isOutermost = depth == 0 && !isMailbox
        text.line()
    }

    fileprivate func take(_ field: dd_mail_field, _ value: String, address: String?) {
        hasFields = true
        text.line()
        text.append(value, collapsing: true)
        if let address, address != value { text.append(" <\(address)>", collapsing: true) }
        text.line()
        guard isOutermost else { return }
        switch field {
        case DD_MAIL_SUBJECT: gathered.set(.title, value)
        case DD_MAIL_FROM:
            gathered.add(.authors, value)
            if let address { gathered.add(.authorEmailAddresses, address) }
        case DD_MAIL_TO:
            gathered.add(.recipients, value)
            if let address { gathered.add(.recipientEmailAddresses, address) }
        default: break
        }
    }

    fileprivate func take(date: Int64) {
        hasFields = true
        if isOutermost { gathered.set(.contentCreationDate, ImportedDate(seconds: date, nanoseconds: 0)) }
    }

    /// A part that is no text, whatever it says, is left out.
    fileprivate func take(_ bytes: [UInt8], subtype: String, charset: String?, hasOwnLines: Bool) {
        let isCut = bytes.count > limits.textBytes
        var bytes = isCut ? Array(bytes.prefix(limits.textBytes)) : bytes
        if isMailbox, !hasOwnLines { bytes = MailboxQuoting.unquoted(bytes) }
        let isHTML = subtype.lowercased() == "html"
        let declared = isHTML ? HTMLImporter.declaredEncoding(bytes) : nil
        guard let part = TextDecoder.decode(bytes, charset: charset, declared: declared, isCut: isCut) else { return }
        text.line()
        if isHTML {
            if let html = try? HTMLImporter.read(part, isCut: isCut, limits: limits) { text.append(html.text) }
        } else {
            text.append(part, collapsing: false)
            if isCut { text.endsEarly() }
        }
        text.line()
    }
}

private func gatherer(_ context: UnsafeMutableRawPointer?) -> MailGatherer {
    // It lives while `read` runs, which is who hands it on.
    Unmanaged<MailGatherer>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
}

private let takeMessage: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Void = { context, depth in
    gatherer(context).beginMessage(depth: Int(depth))
}

private let takeField:
    @convention(c) (UnsafeMutableRawPointer?, dd_mail_field, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Void = {
        context, field, text, address in
        guard let text else { return }
        gatherer(context).take(field, String(cString: text), address: address.map { String(cString: $0) })
    }

private let takeDate: @convention(c) (UnsafeMutableRawPointer?, Int64) -> Void = { context, seconds in
    gatherer(context).take(date: seconds)
}

private let takeText:
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<UInt8>?, Int, Bool
    ) -> Void = { context, subtype, charset, bytes, length, hasOwnLines in
        gatherer(context).take(
            Array(UnsafeBufferPointer(start: bytes, count: length)), subtype: subtype.map { String(cString: $0) } ?? "",
            charset: charset.map { String(cString: $0) }, hasOwnLines: hasOwnLines)
    }

private let goesOn: @convention(c) (UnsafeMutableRawPointer?) -> Bool = { !gatherer($0).isFull }
