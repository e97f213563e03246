#include "Internal.h"

#include "CLinuxImport.h"

#include <linux/ioprio.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { READ = O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC };

static int only_file(int descriptor) {
    struct stat facts;
    if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode)) return descriptor;
    close(descriptor);
    return -DD_IMPORT_NOT_A_FILE;
}

int dd_import_open(const char *path) {
    int pinned = (int)DD_CALL(open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (pinned < 0) return pinned;
    pinned = only_file(pinned);
    if (pinned < 0) return pinned;
    char link[DD_LINK_SIZE];
    dd_descriptor_path(link, pinned);
    // Only the owner may leave the access time alone (open(2)).
    int result = (int)DD_CALL(open(link, READ | O_NOATIME));
    if (result == -EPERM) result = (int)DD_CALL(open(link, READ));
    close(pinned);
    // Without /proc.
    if (result == -ENOENT) result = (int)DD_CALL(open(path, READ | O_NOFOLLOW));
    return result < 0 ? result : only_file(result);
}

// Of linux/landlock.h, which older kernels' headers have only in part.
struct landlock_rules {
    uint64_t files, network;
};
enum { LANDLOCK_CREATE = 444, LANDLOCK_RESTRICT = 446, LANDLOCK_VERSION = 1 };

static void write_nothing(void) {
    long version = syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION);
    if (version < 1) return;
    // Write, remove and make, bits 1 and 4 to 12; from version 2 link, 3 truncate; TCP from version 4.
    struct landlock_rules rules = {.files = 0x1FF2};
    if (version >= 2) rules.files |= 1 << 13;
    if (version >= 3) rules.files |= 1 << 14;
    if (version >= 4) rules.network = 3;
    int set = (int)syscall(LANDLOCK_CREATE, &rules, version >= 4 ? sizeof rules : sizeof rules.files, 0);
    if (set < 0) return;
    syscall(LANDLOCK_RESTRICT, set, 0);
    close(set);
}

static void limit(int what, uint64_t amount) {
    struct rlimit limit = {.rlim_cur = amount, .rlim_max = amount};
    setrlimit(what, &limit);
}

// The shadow of a sanitizer takes terabytes of addresses.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define DD_HAS_SHADOW 1
#endif
#endif

void dd_import_confine(uint64_t memory) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    // Each arena of malloc takes 64 MiB of address space.
    mallopt(M_ARENA_MAX, 1);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
#ifdef DD_HAS_SHADOW
    (void)memory;
#else
    limit(RLIMIT_AS, memory);
#endif
    setpriority(PRIO_PROCESS, 0, 10);
    syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 0));
    write_nothing();
}

void dd_import_limit_cpu(unsigned seconds) {
    struct rusage used;
    struct rlimit limit;
    if (getrusage(RUSAGE_SELF, &used) < 0 || getrlimit(RLIMIT_CPU, &limit) < 0) return;
    limit.rlim_cur = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1) + seconds;
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_CPU, &limit);
}

// Between fork and exec, so nothing here may allocate or lock (signal-safety(7)).
static void become(pid_t parent, const char *path, char *const argv[], int input, int output, unsigned cpu_seconds) {
    static char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=/nonexistent", NULL};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    // Who died before this is not told of.
    if (getppid() != parent) _exit(127);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // At the hard limit comes SIGKILL, which would not say why.
    struct rlimit processor = {.rlim_cur = cpu_seconds, .rlim_max = cpu_seconds + 1};
    setrlimit(RLIMIT_CPU, &processor);
    // Aside first: they may be each other's numbers.
    int in = fcntl(input, F_DUPFD, 10), out = fcntl(output, F_DUPFD, 10);
    if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0) _exit(127);
    // Fails in a worker, which may not write; its own is nowhere already.
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, 2);
    if (close_range(3, ~0U, 0) < 0)
        for (int number = 3; number < 1024; number++) close(number);
    execve(path, argv, environment);
    _exit(127);
}

int dd_import_start(
    const char *path, char *const argv[], int input, int output, unsigned cpu_seconds, pid_t *pid) {
    pid_t parent = getpid(), child = fork();
    if (child < 0) return errno;
    if (child == 0) become(parent, path, argv, input, output, cpu_seconds);
    // Whoever comes first; the child's group has to be there before anybody ends it.
    setpgid(child, child);
    *pid = child;
    return 0;
}

int dd_import_wait(pid_t pid, int *status, uint64_t *peak) {
    struct rusage used = {0};
    int result = (int)DD_CALL(wait4(pid, status, 0, &used));
    *peak = (uint64_t)used.ru_maxrss * 1024;
    return result;
}

int dd_import_memory_file(const void *bytes, size_t count) {
    int descriptor = (int)DD_CALL(memfd_create("import", MFD_CLOEXEC));
    if (descriptor < 0) return descriptor;
    for (size_t done = 0; done < count;) {
        long written = DD_CALL(pwrite(descriptor, (const char *)bytes + done, count - done, (off_t)done));
        if (written <= 0) {
            close(descriptor);
            return written < 0 ? (int)written : -EIO;
        }
        done += (size_t)written;
    }
    return descriptor;
}
