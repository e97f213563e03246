extension AttributeTable {
    /// The attributes of a drive's items: Apple's names, and names with `kDDItem` for what only a drive knows.
    public static let standard = AttributeTable(
        place + sizesAndDates + types + tags + document + media + ubiquity + drive)

    private static let place: [MetadataAttribute] = [
        .init("kMDItemFSName", ["name", "filename"]),
        .init("kMDItemDisplayName", ["displayname"]),
        .init("kMDItemPath", ["path"]),
        .init("kMDItemURL", ["url"]),
        .init("kDDItemExtension", ["ext", "extension"], wordsMatchWhole: true),
        .init("kDDItemDepth", ["depth"], .number),
    ]

    private static let sizesAndDates: [MetadataAttribute] = [
        .init("kMDItemFSSize", ["size"], .size),
        .init("kMDItemFSCreationDate", ["created"], .date),
        .init("kMDItemFSContentChangeDate", ["modified", "date"], .date),
        .init("kMDItemAttributeChangeDate", ["changed"], .date),
        .init("kMDItemContentCreationDate", [], .date),
        .init("kMDItemContentModificationDate", [], .date),
        .init("kMDItemDateAdded", ["added"], .date),
        .init("kMDItemLastUsedDate", ["used", "lastused"], .date, isSupplied: false),
        .init("kMDItemDownloadedDate", [], .date, isSupplied: false),
        .init("kMDItemFSInvisible", ["invisible", "hidden"], .boolean),
        .init("kMDItemFSOwnerUserID", ["owner"], .number, isSupplied: false),
    ]

    private static let types: [MetadataAttribute] = [
        .init("kMDItemContentType", ["type", "uti"], wordsMatchWhole: true),
        .init("kMDItemContentTypeTree", ["typetree"], isMultiValued: true, wordsMatchWhole: true),
        .init("kMDItemKind", ["kind"], wordsMatchWhole: true),
        .init("kDDItemMIMEType", ["mime"], wordsMatchWhole: true),
    ]

    private static let tags: [MetadataAttribute] = [
        .init("_kMDItemUserTags", ["tag", "tags"], isMultiValued: true, wordsMatchWhole: true),
        .init("kMDItemKeywords", ["keyword", "keywords"], isMultiValued: true, wordsMatchWhole: true),
        .init("kMDItemFinderComment", ["comment"]),
        .init("kMDItemWhereFroms", ["from", "wherefrom"], isMultiValued: true),
        .init("kMDItemStarRating", ["rating", "stars"], .number, isSupplied: false),
    ]

    private static let document: [MetadataAttribute] = [
        .init("kMDItemTextContent", ["text", "content"]),
        .init("kMDItemTitle", ["title"]),
        .init("kMDItemAuthors", ["author", "authors", "by"], isMultiValued: true),
        .init("kMDItemSubject", ["subject"]),
        .init("kMDItemDescription", ["description"]),
        .init("kMDItemHeadline", ["headline"]),
        .init("kMDItemComment", []),
        .init("kMDItemCopyright", ["copyright"]),
        .init("kMDItemCreator", ["creator"]),
        .init("kMDItemEncodingApplications", [], isMultiValued: true),
        .init("kMDItemEditors", ["editor"], isMultiValued: true),
        .init("kMDItemOrganizations", ["organization"], isMultiValued: true),
        .init("kMDItemSecurityMethod", []),
        .init("kMDItemContributors", ["contributor"], isMultiValued: true, isSupplied: false),
        .init("kMDItemPublishers", ["publisher"], isMultiValued: true),
        .init("kMDItemRecipients", ["recipient"], isMultiValued: true),
        .init("kMDItemAuthorEmailAddresses", [], isMultiValued: true),
        .init("kMDItemRecipientEmailAddresses", [], isMultiValued: true),
        .init("kMDItemProjects", ["project"], isMultiValued: true, isSupplied: false),
        .init("kMDItemLanguages", ["language"], isMultiValued: true, wordsMatchWhole: true),
        .init("kMDItemVersion", ["version"]),
        .init("kMDItemNumberOfPages", ["pages"], .number),
        .init("kMDItemPageWidth", [], .number),
        .init("kMDItemPageHeight", [], .number),
        .init("kMDItemDueDate", ["due"], .date, isSupplied: false),
        .init("kMDItemFonts", ["font"], isMultiValued: true, isSupplied: false),
    ]

    private static let media: [MetadataAttribute] = [
        .init("kMDItemPixelWidth", ["width"], .number),
        .init("kMDItemPixelHeight", ["height"], .number),
        .init("kMDItemPixelCount", ["pixels"], .number),
        .init("kMDItemColorSpace", ["colorspace"]),
        .init("kMDItemBitsPerSample", [], .number),
        .init("kMDItemHasAlphaChannel", [], .boolean),
        .init("kMDItemOrientation", ["orientation"], .number),
        .init("kMDItemResolutionWidthDPI", ["dpi"], .number),
        .init("kMDItemResolutionHeightDPI", [], .number),
        .init("kMDItemAcquisitionMake", ["make"]),
        .init("kMDItemAcquisitionModel", ["camera"]),
        .init("kMDItemLensModel", ["lens"]),
        .init("kMDItemFocalLength", [], .number),
        .init("kMDItemFocalLength35mm", [], .number),
        .init("kMDItemCameraOwner", []),
        .init("kMDItemWhiteBalance", [], .number),
        .init("kMDItemEXIFVersion", []),
        .init("kMDItemFNumber", [], .number),
        .init("kMDItemISOSpeed", ["iso"], .number),
        .init("kMDItemExposureTimeSeconds", ["exposure"], .number),
        .init("kMDItemFlashOnOff", ["flash"], .boolean),
        .init("kMDItemLatitude", ["latitude"], .number),
        .init("kMDItemLongitude", ["longitude"], .number),
        .init("kMDItemAltitude", ["altitude"], .number),
        .init("kMDItemCity", ["city"], isSupplied: false),
        .init("kMDItemCountry", ["country"], isSupplied: false),
        .init("kMDItemDurationSeconds", ["duration"], .number),
        .init("kMDItemCodecs", ["codec"], isMultiValued: true, wordsMatchWhole: true, isSupplied: false),
        .init("kMDItemTotalBitRate", ["bitrate"], .number),
        .init("kMDItemAudioBitRate", [], .number),
        .init("kMDItemVideoBitRate", [], .number, isSupplied: false),
        .init("kMDItemAudioChannelCount", ["channels"], .number),
        .init("kMDItemAudioSampleRate", ["samplerate"], .number),
        .init("kMDItemAudioTrackNumber", ["track"], .number),
        .init("kMDItemAlbum", ["album"]),
        .init("kMDItemComposer", ["composer"]),
        .init("kMDItemMusicalGenre", ["genre"]),
        .init("kMDItemPerformers", ["performer", "artist"], isMultiValued: true),
        .init("kMDItemRecordingYear", ["year"], .number),
        .init("kMDItemRecordingDate", [], .date),
        .init("kMDItemTempo", ["tempo"], .number),
    ]

    private static let ubiquity: [MetadataAttribute] = [
        .init("NSMetadataItemIsUbiquitousKey", ["ubiquitous"], .boolean),
        .init("NSMetadataUbiquitousItemHasUnresolvedConflictsKey", ["conflict", "conflicts"], .boolean),
        .init(
            "NSMetadataUbiquitousItemDownloadingStatusKey", ["status"], wordsMatchWhole: true,
            values: ["Current", "Downloaded", "NotDownloaded"].map { "NSMetadataUbiquitousItemDownloadingStatus\($0)" }),
        .init("NSMetadataUbiquitousItemIsDownloadingKey", ["downloading"], .boolean),
        .init("NSMetadataUbiquitousItemIsDownloadedKey", ["downloaded"], .boolean),
        .init("NSMetadataUbiquitousItemDownloadRequestedKey", ["requested"], .boolean),
        .init("NSMetadataUbiquitousItemIsUploadedKey", ["uploaded"], .boolean),
        .init("NSMetadataUbiquitousItemIsUploadingKey", ["uploading"], .boolean),
        .init("NSMetadataUbiquitousItemPercentDownloadedKey", ["percentdownloaded"], .number),
        .init("NSMetadataUbiquitousItemPercentUploadedKey", ["percentuploaded"], .number),
        .init("NSMetadataUbiquitousItemDownloadingErrorKey", ["downloaderror"]),
        .init("NSMetadataUbiquitousItemUploadingErrorKey", ["uploaderror"]),
        .init("NSMetadataUbiquitousItemContainerDisplayNameKey", ["container"]),
        .init("NSMetadataUbiquitousItemURLInLocalContainerKey", []),
        .init("NSMetadataUbiquitousItemIsExternalDocumentKey", [], .boolean),
        .init("NSMetadataUbiquitousItemIsSharedKey", ["shared"], .boolean),
    ]

    private static let drive: [MetadataAttribute] = [
        .init(
            "kDDItemSyncState", ["sync"], wordsMatchWhole: true,
            values: ["synced", "uploading", "downloading", "waiting", "conflict", "held"]),
        .init("kDDItemContentHash", ["hash"], wordsMatchWhole: true),
        .init("kDDItemID", ["id"], wordsMatchWhole: true),
        .init("kDDItemChangeTag", ["changetag"], wordsMatchWhole: true),
        .init("kDDItemDevice", ["device"]),
        .init("kDDItemConflictOf", ["conflictof"]),
        .init("kDDItemConflictClass", ["conflictclass"], wordsMatchWhole: true, values: ConflictWords.classes),
    ]
}
