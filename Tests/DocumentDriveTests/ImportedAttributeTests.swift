import DriveImporting
import DrivePredicates
import Testing

@Suite struct ImportedAttributeTests {
    /// An attribute that the table does not have cannot be asked for.
    @Test(arguments: AttributeName.allCases) func everyAttributeOfImportersCanBeAsked(_ name: AttributeName) {
        #expect(name == .mimeType || AttributeTable.standard.named(name.rawValue) != nil)
    }
}
