// The calls of Linux that Glibc's Swift overlay lacks, as small functions.
//
// Results are 0 or more on success and -errno on failure; EINTR is retried. A name is one component given as bytes with
// their count: a name that is empty, `.`, `..`, longer than 255 bytes or that holds `/` or NUL gives -DD_BAD_NAME
// without a call, so nothing that comes from elsewhere can leave the folder it is used in. Links are never followed.
#ifndef DD_CLINUX_H
#define DD_CLINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    // Not an errno: Linux keeps those below 4096 (errno(3), MAX_ERRNO).
    DD_BAD_NAME = 5000,
    DD_CURRENT_FOLDER = -100,
    DD_NAME_MAX = 255,
};

// The order of FileFacts.Kind.
enum { DD_KIND_FILE = 0, DD_KIND_FOLDER = 1, DD_KIND_LINK = 2, DD_KIND_OTHER = 3 };

// What statx tells (statx(2)).
typedef struct {
    uint64_t inode, size, device, mount;
    int64_t modified_seconds, changed_seconds, birth_seconds;
    uint32_t modified_nanoseconds, changed_nanoseconds, birth_nanoseconds;
    uint32_t mode, owner, group, links;
    uint8_t kind;
    bool has_birth;
} dd_facts;

// Looking, links not followed.
int dd_look(int folder, const uint8_t *name, size_t length, dd_facts *facts);
int dd_look_at(int descriptor, dd_facts *facts);
// Of a path of the person's: links in it are followed.
int dd_look_at_path(const char *path, dd_facts *facts);
// Whether nobody may change or move the item, whatever its permissions are (chattr(1), i and a; statx(2)).
bool dd_is_unchanging(const char *path);
// -errno where no name may be made, given away or taken in the folder by this process, or by nobody of this item; else 0, which
// promises nothing (faccessat(2), statx(2)).
int dd_obstruction(int folder, const uint8_t *name, size_t length, bool is_leaving);
// Whether it lies on FAT or exFAT, which do not date every edit, and whose permissions are those of the mount (fstatfs(2)).
bool dd_is_on_fat(int descriptor);
// Whether case does not count in this very folder (chattr(1), F); not whether it counts in the whole file system.
bool dd_folds_case(int folder);

// Opening; all close-on-exec.
// A path of the person's: links in it are followed.
int dd_open_root(const char *path);
int dd_open_folder(int folder, const uint8_t *name, size_t length);
// A second description of the same folder, with its own listing position.
int dd_reopen_folder(int folder);
// The folder that a folder lies in.
int dd_open_parent(int folder);
// For reading; never blocks on a FIFO, never becomes the controlling terminal, leaves the access time where allowed.
int dd_open_file(int folder, const uint8_t *name, size_t length);
// O_PATH: pins an item of any kind without opening it.
int dd_pin(int folder, const uint8_t *name, size_t length);
// A new file for writing (O_EXCL).
// A new file without a name, which is gone once it is closed (O_TMPFILE, open(2)).
int dd_open_unnamed(int folder);
int dd_create_file(int folder, const uint8_t *name, size_t length, uint32_t mode);
// An own file for reading and writing, made if missing.
int dd_open_own_file(int folder, const uint8_t *name, size_t length, uint32_t mode);
// A path of several components that stays beneath the folder and crosses no link: openat2 with RESOLVE_BENEATH and
// RESOLVE_NO_SYMLINKS, component by component where the kernel or a sandbox lacks it.
int dd_open_beneath(int folder, const char *path, bool wants_folder);
int dd_open_beneath_stepwise(int folder, const char *path, bool wants_folder);
int dd_close(int descriptor);

// Reading and writing.
long dd_read(int descriptor, void *buffer, size_t count);
long dd_read_at(int descriptor, void *buffer, size_t count, uint64_t offset);
long dd_write(int descriptor, const void *buffer, size_t count);
void dd_advise_sequential(int descriptor);
// Whether reads and writes go past the page cache from now on (O_DIRECT, open(2)); not every file system can.
int dd_set_direct(int descriptor, bool is_direct);
// Whether most of the bytes are in the page cache (mincore(2)); also where nobody can tell.
bool dd_is_mostly_cached(int descriptor, uint64_t offset, size_t count);
// Reserves room without changing the size.
int dd_reserve(int descriptor, uint64_t size);
int dd_truncate(int descriptor, uint64_t size);
// Makes an empty file share all blocks of another (ioctl_ficlonerange(2)).
int dd_clone(int from, int to);
// As much of a file shares its blocks with another; where it lies in both are whole blocks (ioctl_ficlonerange(2)).
int dd_clone_range(int from, uint64_t offset, uint64_t count, int to, uint64_t to_offset);
// The bytes of a block, 0 where it cannot be told (fstatvfs(3)).
uint64_t dd_block_size(int descriptor);
// From where the next dd_write writes.
int dd_seek(int descriptor, uint64_t offset);
int dd_sync(int descriptor);
int dd_sync_file_system(int descriptor);

// All threads allocate from one heap (mallopt(3), M_ARENA_MAX); before there are others.
void dd_share_heap(void);

// Gives freed memory that the C library holds back to the system (malloc_trim(3)).
void dd_trim_heap(void);

// A page of a mapped file that cannot be read (SIGBUS: sigaction(2), mmap(2)) ends the process with this text on standard
// error and this status, or where the disk of the place that was noted last is full, with this other status. The text must live for as
// long as the process.
int dd_answer_bus_errors(const char *text, size_t length, int status, int full_status);
// Where what is mapped from now on lies; copied. Nothing where nobody answers bus errors.
void dd_note_mapped_place(const char *path);

// Listing: fills the buffer with linux_dirent64 records (getdents64(2)) and returns their bytes, 0 at the end.
long dd_list(int folder, void *buffer, size_t size);
typedef struct {
    uint64_t inode;
    const uint8_t *name;
    size_t length;
    uint8_t kind;
    // False where the file system did not say the kind.
    bool knows_kind;
} dd_entry;
// The record at `offset`, and the offset of the next one.
size_t dd_entry_at(const void *buffer, size_t offset, dd_entry *entry);

// Changing names.
int dd_move(int folder, const uint8_t *name, size_t length, int to_folder, const uint8_t *to, size_t to_length);
int dd_exchange(int folder, const uint8_t *name, size_t length, int to_folder, const uint8_t *to, size_t to_length);
// A second name for a file: never replaces.
int dd_link(int folder, const uint8_t *name, size_t length, int to_folder, const uint8_t *to, size_t to_length);
// rename(2), which replaces: only for files of ours.
int dd_replace(int folder, const uint8_t *name, size_t length, int to_folder, const uint8_t *to, size_t to_length);
int dd_make_folder(int folder, const uint8_t *name, size_t length, uint32_t mode);
int dd_make_folder_at(const char *path, uint32_t mode);
int dd_make_link(int folder, const uint8_t *name, size_t length, const char *target);
// What root has made goes to whom the folder belongs that it lies in: else they could neither change nor remove it. All of the
// above that make something do so; these are for a file that was made otherwise and is open, and for a folder.
void dd_made_file_at(const char *path, int number);
void dd_made_folder_at(const char *path);
int dd_remove_file(int folder, const uint8_t *name, size_t length);
int dd_remove_folder(int folder, const uint8_t *name, size_t length);
long dd_read_link(int folder, const uint8_t *name, size_t length, void *buffer, size_t size);

// Attributes of a pinned or open item, through /proc/self/fd so that O_PATH descriptors do.
int dd_set_mode(int descriptor, uint32_t mode);
int dd_set_owner(int descriptor, uint32_t owner, uint32_t group);
int dd_set_modified(int descriptor, int64_t seconds, uint32_t nanoseconds);
long dd_list_attributes(int descriptor, char *buffer, size_t size);
long dd_get_attribute(int descriptor, const char *key, void *buffer, size_t size);
int dd_set_attribute(int descriptor, const char *key, const void *bytes, size_t count);
int dd_remove_attribute(int descriptor, const char *key);
// The keys of an item that is not open; one call.
long dd_list_attributes_of(int folder, const uint8_t *name, size_t length, char *buffer, size_t size);
long dd_get_attribute_of(
    int folder, const uint8_t *name, size_t length, const char *key, void *buffer, size_t size);

// Locks.
// flock(2), exclusive, not waiting: -EWOULDBLOCK where another process has it. Dies with its owner.
int dd_lock(int descriptor);
// 1 where another description of the file is open for writing, 0 where none is, -errno where leases cannot tell
// (fcntl(2), F_SETLEASE): a foreign owner, a network file system.
int dd_is_open_for_writing(int descriptor);
// Brings the bytes of a file to the disk's queue and waits until they are written; its facts, and the disk's own cache, are left alone
// (sync_file_range(2)).
int dd_write_back(int descriptor);

// The machine.
// Whether a folder that holds no folders has exactly two links, its own and its parent's.
bool dd_counts_subfolders(int descriptor);
int dd_free_space(int descriptor, uint64_t *available, uint64_t *total, uint64_t *longest_name);
// The path that a descriptor has now, for people.
long dd_path_of(int descriptor, char *buffer, size_t size);

// Programs that are started for people, and the limit of open files that belongs to them.
// Lets this process have as many files open at once as the system allows. What it might have before is remembered for what it starts:
// programs that use select(2) fail at numbers from 1,024 on.
void dd_raise_open_files(void);
// Gives another process of this user the limit that this one had; nothing where it was not raised.
void dd_give_open_files(int process);
// Starts a program that is looked for in PATH, with the limit of open files that this process had before that was raised. No signals
// are blocked there, and those of `defaults` (1 << number) have their default action. Those of `standard` that are 0 or more are its
// standard input, output and error; it has those of this process else. One that leads has a process group of its own. -errno where
// it cannot be started.
int dd_start_program(
    char *const words[], char *const environment[], unsigned long defaults, const int standard[3], bool leads,
    int *process);

#endif
