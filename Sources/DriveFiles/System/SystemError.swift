import CLinux
import DriveCore
import Glibc

extension DriveError {
    /// The one place where an error number of Linux becomes an error of ours. `action` continues "cannot".
    static func system(_ code: Int32, _ action: String, path: String? = nil) -> DriveError {
        let fate = SystemFate(code)
        return DriveError(
            fate.kind, "cannot \(action): \(fate.reason)\(fate.advice.map { "; \($0)" } ?? "")", path: path)
    }
}

/// What an error number means to a drive (errno(3)), and what a person can do about it.
private struct SystemFate {
    var kind: DriveError.Kind
    var reason: String
    var advice: String?

    private init(_ kind: DriveError.Kind, _ reason: String, _ advice: String? = nil) {
        self.kind = kind
        self.reason = reason
        self.advice = advice
    }

    init(_ code: Int32) {
        self =
            switch code {
            case ENOENT: Self(.notFound, "it is not there any more")
            case ENOTDIR: Self(.notFound, "it is no folder, or not in one any more")
            case EACCES: Self(.permissionDenied, "permission denied", "give yourself access to it")
            case EPERM: Self(.permissionDenied, "not permitted", "look at its owner and at `lsattr`")
            case ELOOP: Self(.permissionDenied, "a link is in the way", "links are never followed here")
            case ENOSPC: Self(.noSpace, "the disk is full", "make room (`df -h`, `df -i`)")
            case EDQUOT: Self(.noSpace, "the quota is used up", "make room or ask for more")
            case EMFILE, ENFILE: Self(.exhausted, "too many open files", "raise the limit (`ulimit -n`)")
            case ENOMEM, ENOBUFS: Self(.exhausted, "out of memory", "close other programs")
            case EROFS: Self(.readOnly, "the file system is read-only", "mount it for writing")
            case EAGAIN, EBUSY, ETXTBSY, EDEADLK: Self(.temporary, "something else is using it")
            case EXDEV: Self(.inputOutput, "it lies on another file system", "move it by hand")
            case EFBIG, EOVERFLOW: Self(.inputOutput, "too large for this file system")
            case ENAMETOOLONG, EILSEQ, Int32(DD_BAD_NAME): Self(.usage, "no possible name here", "choose another name")
            case EOPNOTSUPP, ENOSYS: Self(.usage, "this file system cannot do it", "use ext4, XFS or Btrfs")
            case ENOTCONN, ESTALE, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH, ENETUNREACH, ECONNRESET, ENODEV, ENXIO,
                EREMOTEIO, ESHUTDOWN:
                Self(.unreachable, "the file system does not answer", "look at its mount")
            case EIO, ENOTRECOVERABLE, EBADMSG:
                Self(.inputOutput, "the device reports an error", "look at `dmesg` and check the disk")
            default: Self(.inputOutput, String(cString: strerror(code)))
            }
    }
}

/// The result of a shim call, or its error.
@inline(__always)
func check(_ result: Int32, _ action: @autoclosure () -> String, path: @autoclosure () -> String? = nil)
    throws(DriveError) -> Int32
{
    guard result < 0 else { return result }
    throw .system(-result, action(), path: path())
}

@inline(__always)
func check(_ result: Int, _ action: @autoclosure () -> String, path: @autoclosure () -> String? = nil)
    throws(DriveError) -> Int
{
    guard result < 0 else { return result }
    throw .system(Int32(-result), action(), path: path())
}
