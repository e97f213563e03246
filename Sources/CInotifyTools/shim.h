/* SPDX-License-Identifier: GPL-2.0-only */
#include <sys/inotify.h>
#include <inotifytools/inotifytools.h>
