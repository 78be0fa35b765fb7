#include "args.h"

static void release_object(void *hold)
{
    Py_DECREF((PyObject *)hold);
}

static void release_buffer(void *hold)
{
    Py_buffer *view = hold;
    PyBuffer_Release(view);
    PyMem_Free(view);
}

int args_is_plain(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    return type == &PyBytes_Type || type == &PyUnicode_Type || type == &PyLong_Type ||
           type == &PyFloat_Type || type == &PyByteArray_Type || type == &PyMemoryView_Type;
}

/* Bytes that belong to an immutable object: copied when short, else held until they are sent. */
static void take_object(kvw_arg_t *arg, PyObject *object, const char *ptr, Py_ssize_t len)
{
    arg->ptr = ptr;
    arg->len = (size_t)len;
    if ((size_t)len > KVW_ARG_COPY_MAX) {
        Py_INCREF(object);
        arg->release = release_object;
        arg->hold = object;
    } else {
        arg->release = NULL;
    }
}

/* A number of numpy's is a buffer without dimensions: its bytes would be a surprise on the wire,
 * and those of an array of objects are pointers. Both are refused. */
static int is_data(const Py_buffer *view)
{
    return view->ndim > 0 && (view->format == NULL || strchr(view->format, 'O') == NULL);
}

/* 0, 1 when the object is none that is taken, or -1 with an exception set. */
static int take_buffer(kvw_arg_t *arg, PyObject *object)
{
    Py_buffer *view = PyMem_Malloc(sizeof *view);
    if (view == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    /* Without strides asked for, only C-contiguous memory is given. */
    if (PyObject_GetBuffer(object, view, PyBUF_ND | PyBUF_FORMAT) < 0) {
        PyMem_Free(view);
        if (!PyErr_ExceptionMatches(PyExc_BufferError) && !PyErr_ExceptionMatches(PyExc_ValueError))
            return -1;
        PyErr_Clear();
        return 1;
    }
    if (!is_data(view)) {
        release_buffer(view);
        return 1;
    }
    arg->ptr = view->buf;
    arg->len = (size_t)view->len;
    arg->release = release_buffer;
    arg->hold = view;
    return 0;
}

/* Decimal digits at the end of a number's space; returns where they begin. */
static char *write_decimal(char *number, long long value)
{
    char *at = number + ARGS_NUMBER_MAX;
    unsigned long long rest =
        value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0)
        *--at = '-';
    return at;
}

static int take_long(kvw_arg_t *arg, PyObject *object, char *number)
{
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (value == -1 && PyErr_Occurred())
        return -1;
    if (overflow == 0) {
        arg->ptr = write_decimal(number, value);
        arg->len = (size_t)(number + ARGS_NUMBER_MAX - arg->ptr);
        arg->release = NULL;
        return 0;
    }
    PyObject *text = PyNumber_ToBase(object, 10);
    if (text == NULL)
        return -1;
    Py_ssize_t len;
    const char *digits = PyUnicode_AsUTF8AndSize(text, &len);
    if (digits == NULL) {
        Py_DECREF(text);
        return -1;
    }
    arg->ptr = digits;
    arg->len = (size_t)len;
    arg->release = release_object;
    arg->hold = text;
    return 0;
}

/* As Redis writes doubles: the shortest text that reads back the same, whole ones without ".0". */
static int take_float(kvw_arg_t *arg, PyObject *object, char *number)
{
    double value = PyFloat_AsDouble(object);
    if (value == -1.0 && PyErr_Occurred())
        return -1;
    char *text = PyOS_double_to_string(value, 'r', 0, 0, NULL);
    if (text == NULL)
        return -1;
    size_t len = strlen(text);
    if (len >= ARGS_NUMBER_MAX)
        len = ARGS_NUMBER_MAX - 1; /* 'r' never writes more than 24 characters */
    memcpy(number, text, len);
    PyMem_Free(text);
    arg->ptr = number;
    arg->len = len;
    arg->release = NULL;
    return 0;
}

static int take(kvw_arg_t *arg, PyObject *object, char *number)
{
    Py_ssize_t len;
    PyTypeObject *type = Py_TYPE(object);
    if (type == &PyBytes_Type) {
        char *ptr;
        PyBytes_AsStringAndSize(object, &ptr, &len);
        take_object(arg, object, ptr, len);
        return 0;
    }
    if (type == &PyUnicode_Type || PyUnicode_Check(object)) {
        const char *ptr = PyUnicode_AsUTF8AndSize(object, &len);
        if (ptr == NULL)
            return -1;
        take_object(arg, object, ptr, len);
        return 0;
    }
    if (type != &PyBool_Type && PyLong_Check(object))
        return take_long(arg, object, number);
    if (PyFloat_Check(object))
        return take_float(arg, object, number);
    if (PyObject_CheckBuffer(object))
        return take_buffer(arg, object);
    return 1;
}

static void raise_type(const char *method, size_t position, PyObject *object)
{
    PyObject *name = PyType_GetName(Py_TYPE(object));
    if (name == NULL)
        return;
    PyErr_Format(PyExc_TypeError,
                 "%s(): argument %zu must be str, bytes, a C-contiguous buffer, int or float, "
                 "not %U",
                 method, position, name);
    Py_DECREF(name);
}

int args_gather(Args *args, const char *method, PyObject *const *objects, size_t count,
                size_t first)
{
    args->items = args->inline_items;
    args->numbers = args->inline_numbers[0];
    args->count = 0;
    if (count > ARGS_INLINE) {
        args->items = PyMem_Malloc(count * sizeof *args->items);
        /* Only numbers need their space; the first one that comes allocates it for all. */
        args->numbers = NULL;
        if (args->items == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    for (size_t i = 0; i < count; i++) {
        PyObject *object = objects[i];
        if (args->numbers == NULL && Py_TYPE(object) != &PyBytes_Type &&
            Py_TYPE(object) != &PyUnicode_Type) {
            args->numbers = PyMem_Malloc(count * ARGS_NUMBER_MAX);
            if (args->numbers == NULL) {
                PyErr_NoMemory();
                args_release(args);
                return -1;
            }
        }
        char *number = args->numbers == NULL ? NULL : args->numbers + i * ARGS_NUMBER_MAX;
        int rc = take(&args->items[i], object, number);
        if (rc != 0) {
            if (rc > 0)
                raise_type(method, first + i, object);
            args_release(args);
            return -1;
        }
        args->count = i + 1;
    }
    return 0;
}

void args_free(Args *args)
{
    if (args->items != args->inline_items)
        PyMem_Free(args->items);
    if (args->numbers != args->inline_numbers[0])
        PyMem_Free(args->numbers);
}

void args_release(Args *args)
{
    for (size_t i = 0; i < args->count; i++)
        if (args->items[i].release != NULL)
            args->items[i].release(args->items[i].hold);
    args_free(args);
}
