/* What the system's headers must be told before the first of them. Every file that makes system
 * calls includes this one first. */
#ifndef KVWIRE_OS_H
#define KVWIRE_OS_H

#if defined(_WIN32)
#error "kvwire does not support Windows yet: Linux and macOS only"
#endif

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#if defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE
#endif

#endif
