/* The only file that looks at versions: Python.h, and what differs between its releases. */
#ifndef EXT_COMPAT_H
#define EXT_COMPAT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 3.12 introduced own-GIL subinterpreters and the slot that announces support for them. The
 * running interpreter decides, since one abi3 binary serves them all; older ones reject the slot.
 */
#define EXT_SLOT_MULTIPLE_INTERPRETERS 3
#define EXT_PER_INTERPRETER_GIL ((void *)2)
#define EXT_HAS_PER_INTERPRETER_GIL() (Py_Version >= 0x030C0000)

/* Assign a new reference and drop the old one afterwards (Py_XSETREF is not in the limited API). */
#define EXT_SETREF(place, reference)             \
    do {                                         \
        PyObject *ext_old = (PyObject *)(place); \
        (place) = (reference);                   \
        Py_XDECREF(ext_old);                     \
    } while (0)

/* METH_FASTCALL functions have another signature than PyCFunction; the detour through
 * void (*)(void) says that the cast is meant. */
#define EXT_FASTCALL(function) ((PyCFunction)(void (*)(void))(function))

#endif
