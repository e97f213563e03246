// `import DocumentDrive` is enough: the modules whose types its interface names come with it.
@_exported public import DriveCore
@_exported public import DriveIndex
@_exported public import DrivePredicates
@_exported public import DriveTransport
@_exported public import FileCoordination
