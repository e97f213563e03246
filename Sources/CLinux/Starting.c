#include "Internal.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

// Of before the limit was raised; nothing was where the two are equal.
static struct rlimit before, now;

void dd_raise_open_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= limit.rlim_max) return;
    before = now = limit;
    now.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &now) < 0) now = before;
}

static bool is_raised(void) { return now.rlim_cur != before.rlim_cur; }

void dd_give_open_files(int process) {
    if (is_raised()) prlimit(process, RLIMIT_NOFILE, &before, NULL);
}

struct start {
    char *const *words;
    char *const *environment;
    unsigned long defaults;
    const int *standard;
    bool leads;
    // The child has the memory of its parent until it is another program.
    volatile int error;
};

// 0, or an errno value.
static int connect_standard(const int standard[3]) {
    int from[3];
    for (int number = 0; number < 3; number++) {
        from[number] = standard[number];
        // Another one takes its place.
        if (from[number] >= 0 && from[number] < 3 && from[number] != number) {
            from[number] = fcntl(from[number], F_DUPFD_CLOEXEC, 3);
            if (from[number] < 0) return errno;
        }
    }
    for (int number = 0; number < 3; number++) {
        if (from[number] == number) {
            fcntl(number, F_SETFD, 0);
        } else if (from[number] >= 0 && dup2(from[number], number) < 0) {
            return errno;
        }
    }
    return 0;
}

// Between vfork and exec, in the memory of the parent: nothing but system calls (vfork(2), signal-safety(7)).
static void become(struct start *start) {
    struct sigaction usual = {.sa_handler = SIG_DFL}, action;
    for (int number = 1; number < NSIG; number++) {
        if (sigaction(number, NULL, &action) < 0) continue;
        // No handler of this program may run in there.
        bool is_caught = action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
        bool is_asked = number < 64 && start->defaults >> number & 1;
        if (is_caught || is_asked) sigaction(number, &usual, NULL);
    }
    if (start->leads) setpgid(0, 0);
    start->error = connect_standard(start->standard);
    if (start->error) return;
    if (is_raised()) setrlimit(RLIMIT_NOFILE, &before);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvpe(start->words[0], start->words, start->environment);
    start->error = errno;
}

int dd_start_program(
    char *const words[], char *const environment[], unsigned long defaults, const int standard[3], bool leads,
    int *process) {
    struct start start = {words, environment, defaults, standard, leads, 0};
    sigset_t all, old;
    sigfillset(&all);
    // This thread is stopped meanwhile, and the child hears nothing that was meant for it.
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pid_t child = vfork();
    if (child == 0) {
        become(&start);
        _exit(127);
    }
    int error = child < 0 ? errno : start.error;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (error) {
        if (child > 0) while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
        return -error;
    }
    *process = child;
    return 0;
}
