#include "build.h"

#include "errors.h"

/* One open aggregate. Lists and tuples are allocated for as many elements as the bytes at hand can
 * hold and appended to beyond that; sets are lists until they are complete, so that members that
 * cannot be hashed leave a list in wire order; maps are dicts until a key cannot be hashed. */
typedef struct Frame {
    PyObject *object;
    PyObject *key;
    Py_ssize_t filled, allocated;
    uint8_t type;
} Frame;

#define FRAMES_INLINE 8
#define ALLOCATE_MAX 65536
#define ALLOCATE_DEPTH 4
#define ALLOCATE_DEEP_MAX 8

struct Builder {
    State *state;
    Frame *frames;
    size_t depth, capacity;
    PyObject *body;   /* the bytes object that a large body is being received into */
    PyObject *spoilt; /* what went wrong with the reply under way, whose rest is passed over */
    PyObject *element_error; /* what went wrong inside the current element of EXEC's array */
    Frame inline_frames[FRAMES_INLINE];
};

Builder *builder_new(State *state)
{
    Builder *builder = PyMem_Calloc(1, sizeof *builder);
    if (builder == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    builder->state = state;
    builder->frames = builder->inline_frames;
    builder->capacity = FRAMES_INLINE;
    return builder;
}

void builder_reset(Builder *builder)
{
    if (builder == NULL)
        return;
    while (builder->depth > 0) {
        Frame *frame = &builder->frames[--builder->depth];
        Py_CLEAR(frame->object);
        Py_CLEAR(frame->key);
    }
    Py_CLEAR(builder->element_error);
    Py_CLEAR(builder->spoilt);
}

void builder_spoil(Builder *builder, PyObject *exception)
{
    EXT_SETREF(builder->spoilt, exception);
}

void builder_free(Builder *builder)
{
    if (builder == NULL)
        return;
    builder_reset(builder);
    Py_CLEAR(builder->body);
    if (builder->frames != builder->inline_frames)
        PyMem_Free(builder->frames);
    PyMem_Free(builder);
}

/* ---- scalars ------------------------------------------------------------------------------- */

/* int() of a text refuses more than a few thousand digits. So it is halved until a part is short
 * enough: that takes far less time than going through the digits one by one would. The depth is the
 * logarithm of a length that the protocol's line limit bounds. */
#define DIGITS_AT_ONCE 4000

static PyObject *make_digits(const char *ptr, size_t len)
{
    if (len <= DIGITS_AT_ONCE) {
        char text[DIGITS_AT_ONCE + 1];
        memcpy(text, ptr, len);
        text[len] = '\0';
        return PyLong_FromString(text, NULL, 10);
    }
    size_t low_len = len / 2;
    PyObject *high = make_digits(ptr, len - low_len);
    PyObject *low = make_digits(ptr + len - low_len, low_len);
    PyObject *ten = PyLong_FromLong(10), *power = PyLong_FromSize_t(low_len);
    PyObject *scale = NULL, *shifted = NULL, *value = NULL;
    if (ten != NULL && power != NULL)
        scale = PyNumber_Power(ten, power, Py_None);
    if (scale != NULL && high != NULL)
        shifted = PyNumber_Multiply(high, scale);
    if (shifted != NULL && low != NULL)
        value = PyNumber_Add(shifted, low);
    Py_XDECREF(shifted);
    Py_XDECREF(scale);
    Py_XDECREF(power);
    Py_XDECREF(ten);
    Py_XDECREF(low);
    Py_XDECREF(high);
    return value;
}

static PyObject *make_bignum(const char *ptr, size_t len)
{
    int negative = len > 0 && ptr[0] == '-';
    size_t sign = len > 0 && (ptr[0] == '-' || ptr[0] == '+');
    PyObject *value = make_digits(ptr + sign, len - sign);
    if (value != NULL && negative) {
        PyObject *negated = PyNumber_Negative(value);
        Py_DECREF(value);
        value = negated;
    }
    return value;
}

static PyObject *make_string(const kvw_item_t *item, int decode)
{
    if (decode || (item->flags & KVW_ITEM_TEXT))
        return PyUnicode_DecodeUTF8(item->ptr, (Py_ssize_t)item->len, NULL);
    return PyBytes_FromStringAndSize(item->ptr, (Py_ssize_t)item->len);
}

static PyObject *make_scalar(State *state, const kvw_item_t *item, int decode)
{
    switch (item->type) {
    case KVW_BULK:
        return make_string(item, decode);
    case KVW_INT:
        return PyLong_FromLongLong(item->num);
    case KVW_NULL:
        Py_RETURN_NONE;
    case KVW_BOOL:
        return PyBool_FromLong(item->num != 0);
    case KVW_DOUBLE:
        return PyFloat_FromDouble(item->dbl);
    case KVW_SIMPLE:
        return PyUnicode_DecodeUTF8(item->ptr, (Py_ssize_t)item->len, "surrogateescape");
    case KVW_VERBATIM:
        return PyUnicode_DecodeUTF8(item->ptr, (Py_ssize_t)item->len, NULL);
    case KVW_BIGNUM:
        return make_bignum(item->ptr, item->len);
    case KVW_ERROR:
        return error_from_server(state, item->ptr, item->len);
    default:
        PyErr_Format(PyExc_SystemError, "unexpected item type %d", (int)item->type);
        return NULL;
    }
}

/* ---- aggregates ---------------------------------------------------------------------------- */

static int push_frame(Builder *builder, const kvw_item_t *item)
{
    if (builder->depth == builder->capacity) {
        size_t capacity = builder->capacity * 2;
        int is_inline = builder->frames == builder->inline_frames;
        Frame *frames =
            PyMem_Realloc(is_inline ? NULL : builder->frames, capacity * sizeof *frames);
        if (frames == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        if (is_inline)
            memcpy(frames, builder->inline_frames, sizeof builder->inline_frames);
        builder->frames = frames;
        builder->capacity = capacity;
    }
    Frame frame = {.type = item->type};
    /* The same bytes could be announced as the elements of each level. */
    size_t most = builder->depth < ALLOCATE_DEPTH ? ALLOCATE_MAX : ALLOCATE_DEEP_MAX;
    Py_ssize_t allocate = (Py_ssize_t)(item->len < most ? item->len : most);
    if (item->type == KVW_MAP) {
        frame.object = PyDict_New();
    } else if (item->type == KVW_PAIR) {
        frame.allocated = 2;
        frame.object = PyTuple_New(2);
    } else {
        frame.allocated = item->num < 0 ? 0 : allocate;
        frame.object = PyList_New(frame.allocated);
    }
    if (frame.object == NULL)
        return -1;
    builder->frames[builder->depth++] = frame;
    return 0;
}

/* A key cannot be hashed: the map goes on as a list of its pairs. */
static int turn_into_pairs(Frame *frame)
{
    if (!PyErr_ExceptionMatches(PyExc_TypeError))
        return -1;
    PyErr_Clear();
    PyObject *pairs = PyDict_Items(frame->object);
    if (pairs == NULL)
        return -1;
    Py_DECREF(frame->object);
    frame->object = pairs;
    return 0;
}

static int add_entry(Frame *frame, PyObject *key, PyObject *value)
{
    if (PyDict_CheckExact(frame->object)) {
        if (PyDict_SetItem(frame->object, key, value) == 0)
            return 0;
        if (turn_into_pairs(frame) < 0)
            return -1;
    }
    PyObject *pair = PyTuple_Pack(2, key, value);
    if (pair == NULL)
        return -1;
    int rc = PyList_Append(frame->object, pair);
    Py_DECREF(pair);
    return rc;
}

/* Put a complete value (whose reference is taken over) into the innermost aggregate. */
static int add_value(Frame *frame, PyObject *value)
{
    if (frame->type == KVW_MAP) {
        if (frame->key == NULL) {
            frame->key = value;
            return 0;
        }
        PyObject *key = frame->key;
        frame->key = NULL;
        int rc = add_entry(frame, key, value);
        Py_DECREF(key);
        Py_DECREF(value);
        return rc;
    }
    if (frame->filled < frame->allocated) {
        Py_ssize_t at = frame->filled++;
        return frame->type == KVW_PAIR ? PyTuple_SetItem(frame->object, at, value)
                                       : PyList_SetItem(frame->object, at, value);
    }
    frame->filled++;
    int rc = PyList_Append(frame->object, value);
    Py_DECREF(value);
    return rc;
}

/* Close the innermost aggregate and give its object. */
static PyObject *pop_frame(Builder *builder)
{
    Frame *frame = &builder->frames[--builder->depth];
    PyObject *object = frame->object;
    frame->object = NULL;
    if (frame->type != KVW_SET)
        return object;
    PyObject *set = PySet_New(object);
    if (set == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        return object;
    }
    Py_DECREF(object);
    return set;
}

/* ---- the pass ------------------------------------------------------------------------------ */

static int decodes(const Builder *builder, const Decode *decode)
{
    if (decode->each == NULL || builder->depth == 0)
        return decode->all;
    Py_ssize_t element = builder->frames[0].filled;
    return element < decode->count && decode->each[element];
}

/* A value could not be made. Inside a transaction's array the exception takes the place of that
 * element alone, so that the others still reach the caller. */
static PyObject *failed_value(Builder *builder, const Decode *decode)
{
    if (decode->each == NULL || builder->depth == 0 ||
        !PyErr_ExceptionMatches(PyExc_UnicodeDecodeError))
        return NULL;
    PyObject *exception = error_take();
    if (builder->depth > 1 && builder->element_error == NULL) {
        Py_INCREF(exception);
        builder->element_error = exception;
    }
    return exception;
}

static int finish_value(Builder *builder, PyObject *object, PyObject **value)
{
    if (builder->depth == 0) {
        *value = object;
        return BUILD_DONE;
    }
    if (builder->depth == 1 && builder->element_error != NULL) {
        Py_DECREF(object);
        object = builder->element_error;
        builder->element_error = NULL;
    }
    return add_value(&builder->frames[builder->depth - 1], object) < 0 ? BUILD_FAILED : BUILD_MORE;
}

static int take_item(Builder *builder, const kvw_item_t *item, Decode *decode, PyObject **value)
{
    PyObject *object;
    switch (item->type) {
    case KVW_ARRAY:
    case KVW_SET:
    case KVW_MAP:
    case KVW_PAIR:
    case KVW_PUSH:
        return push_frame(builder, item) < 0 ? BUILD_FAILED : BUILD_MORE;
    case KVW_END:
        object = pop_frame(builder);
        break;
    default:
        object = make_scalar(builder->state, item, decodes(builder, decode));
    }
    if (object == NULL)
        object = failed_value(builder, decode);
    return object == NULL ? BUILD_FAILED : finish_value(builder, object, value);
}

int builder_take_item(Builder *builder, const kvw_item_t *item, Decode decode, PyObject **value)
{
    int rc = take_item(builder, item, &decode, value);
    if (rc == BUILD_FAILED)
        builder_reset(builder);
    return rc;
}

/* Lend the final object to the connection. Without memory the body is dropped. */
static int open_body(Builder *builder, kvw_conn_t *conn, const kvw_item_t *item)
{
    PyObject *body = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)item->len);
    kvw_conn_lend(conn, body == NULL ? NULL : PyBytes_AsString(body));
    builder->body = body;
    return body == NULL ? BUILD_FAILED : BUILD_MORE;
}

static PyObject *filled_body(Builder *builder, const kvw_item_t *item, int decode)
{
    PyObject *body = builder->body;
    builder->body = NULL;
    if (body != NULL && item->type == KVW_ERROR) {
        PyObject *error =
            error_from_server(builder->state, PyBytes_AsString(body), (size_t)PyBytes_Size(body));
        Py_DECREF(body);
        return error;
    }
    if (body != NULL && (decode || (item->flags & KVW_ITEM_TEXT) || item->type == KVW_VERBATIM)) {
        PyObject *text = PyUnicode_DecodeUTF8(PyBytes_AsString(body), PyBytes_Size(body), NULL);
        Py_DECREF(body);
        return text;
    }
    return body;
}

/* Most elements of large replies are strings in a list that has room for them. They are taken many
 * at a time; making bytes runs no other code, so that nothing can come in between. */
#define RUN 64

static int take_run(Builder *builder, kvw_conn_t *conn)
{
    kvw_item_t items[RUN];
    Frame *frame = &builder->frames[builder->depth - 1];
    for (;;) {
        size_t room = (size_t)(frame->allocated - frame->filled);
        size_t count = kvw_conn_run(conn, items, room < RUN ? room : RUN);
        for (size_t i = 0; i < count; i++) {
            PyObject *bytes = PyBytes_FromStringAndSize(items[i].ptr, (Py_ssize_t)items[i].len);
            if (bytes == NULL)
                return BUILD_FAILED;
            PyList_SetItem(frame->object, frame->filled++, bytes);
        }
        if (count < RUN)
            return BUILD_MORE;
    }
}

static int wants_run(const Builder *builder, const Decode *decode)
{
    if (builder->depth == 0 || decode->all || decode->each != NULL)
        return 0;
    const Frame *frame = &builder->frames[builder->depth - 1];
    return frame->type == KVW_ARRAY && frame->filled < frame->allocated;
}

/* One more event of a spoilt reply. */
static int pass_over(Builder *builder, kvw_conn_t *conn, const kvw_item_t *item)
{
    if (item->flags & KVW_ITEM_OPEN)
        kvw_conn_lend(conn, NULL);
    else if (item->flags & KVW_ITEM_FILLED)
        Py_CLEAR(builder->body);
    if (!(item->flags & KVW_ITEM_LAST))
        return BUILD_MORE;
    PyObject *exception = builder->spoilt;
    builder->spoilt = NULL;
    error_raise(exception);
    Py_DECREF(exception);
    return BUILD_FAILED;
}

int builder_take(Builder *builder, kvw_conn_t *conn, const kvw_event_t *event, Decode decode,
                 PyObject **value)
{
    const kvw_item_t *item = &event->item;
    int rc;
    /* What an interrupted reply has left goes when the next one begins. */
    if ((builder->depth > 0 || builder->spoilt != NULL) && item->depth == 0 &&
        item->type != KVW_END && !(item->flags & KVW_ITEM_FILLED))
        builder_reset(builder);
    if (builder->spoilt != NULL)
        return pass_over(builder, conn, item);
    if (item->flags & KVW_ITEM_OPEN) {
        rc = open_body(builder, conn, item);
    } else if (item->flags & KVW_ITEM_FILLED) {
        if (event->slot.user == NULL) { /* its caller has gone; the rest is consumed unseen */
            Py_CLEAR(builder->body);
            builder_reset(builder);
            return BUILD_MORE;
        }
        PyObject *object = filled_body(builder, item, decodes(builder, &decode));
        if (object == NULL)
            object = failed_value(builder, &decode);
        rc = object == NULL ? BUILD_FAILED : finish_value(builder, object, value);
    } else {
        rc = take_item(builder, item, &decode, value);
        if (rc == BUILD_MORE && wants_run(builder, &decode))
            rc = take_run(builder, conn);
    }
    if (rc == BUILD_FAILED)
        builder_reset(builder);
    return rc;
}
