#include "parse.h"

#include "build.h"

/* One pass over the bytes: parser -> shape -> builder. */
typedef struct Pass {
    State *state;
    kvw_resp_t parser;
    kvw_shaper_t shaper;
    Builder *builder;
    Decode decode;
    int shape;
    int begun;      /* inside a reply */
    int attribute;  /* open aggregates of an attribute, which annotates a reply and is none */
    PyObject *text; /* bytearray: what has come of a streamed string */
    PyObject *replies;
} Pass;

static int raise_malformed(Pass *pass, const char *reason)
{
    PyErr_SetString(pass->state->error_ProtocolError, reason);
    return -1;
}

/* Streamed strings are shown whole: 1 when *item is to be passed on, 0 when not yet, -1. */
static int gather_string(Pass *pass, kvw_item_t *item)
{
    if (item->type == KVW_PART) {
        PyObject *part = PyByteArray_FromStringAndSize(item->ptr, (Py_ssize_t)item->len);
        PyObject *text = part;
        if (pass->text != NULL && part != NULL) {
            text = PyByteArray_Concat(pass->text, part);
            Py_DECREF(part);
        }
        EXT_SETREF(pass->text, text);
        return text == NULL ? -1 : 0;
    }
    if (item->type == KVW_STRING_END) {
        item->type = KVW_BULK;
        item->ptr = pass->text == NULL ? "" : PyByteArray_AsString(pass->text);
        item->len = pass->text == NULL ? 0 : (size_t)PyByteArray_Size(pass->text);
    }
    return 1;
}

static int is_attribute(Pass *pass, const kvw_item_t *item)
{
    if (pass->attribute == 0 && item->type != KVW_ATTRIBUTE)
        return 0;
    if (item->type >= KVW_ARRAY && item->type <= KVW_ATTRIBUTE)
        pass->attribute++;
    else if (item->type == KVW_END)
        pass->attribute--;
    return 1;
}

static int build(Pass *pass, kvw_item_t *item)
{
    if (!pass->begun) {
        kvw_shaper_begin(&pass->shaper, (kvw_shape_t)pass->shape, 0);
        pass->begun = 1;
    }
    int more = kvw_shaper_item(&pass->shaper, item);
    if (more < 0)
        return raise_malformed(pass, kvw_err_message(more));
    while (more > 0) {
        PyObject *value;
        int built = builder_take_item(pass->builder, item, pass->decode, &value);
        if (built == BUILD_FAILED)
            return -1;
        if (built == BUILD_DONE) {
            pass->begun = 0;
            int rc = PyList_Append(pass->replies, value);
            Py_DECREF(value);
            if (rc < 0)
                return -1;
        }
        more = kvw_shaper_more(&pass->shaper, item);
    }
    return 0;
}

static int run(Pass *pass, const char *bytes, size_t len)
{
    for (;;) {
        kvw_item_t item;
        size_t used;
        kvw_status_t status = kvw_resp_next(&pass->parser, bytes, len, &used, &item);
        bytes += used;
        len -= used;
        if (status == KVW_STATUS_MORE)
            return 0;
        if (status == KVW_STATUS_ERROR) {
            const char *reason;
            kvw_resp_error(&pass->parser, &reason);
            return raise_malformed(pass, reason);
        }
        if (is_attribute(pass, &item))
            continue;
        int rc = gather_string(pass, &item);
        if (rc > 0)
            rc = build(pass, &item);
        if (item.type != KVW_PART)
            Py_CLEAR(pass->text);
        if (rc < 0)
            return -1;
    }
}

PyObject *parse_replies(PyObject *module, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"data", "shape", "decode", NULL};
    Pass pass = {.state = PyModule_GetState(module)};
    Py_buffer data;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "y*|ip:parse", names, &data, &pass.shape,
                                     &pass.decode.all))
        return NULL;
    if (pass.state->error_ProtocolError == NULL || pass.shape < 0 || pass.shape >= KVW_SHAPE_EACH) {
        PyErr_SetString(PyExc_ValueError, "no such shape, or setup() has not been called");
    } else if ((pass.builder = builder_new(pass.state)) != NULL) {
        kvw_resp_init(&pass.parser, 0, 0);
        pass.replies = PyList_New(0);
        if (pass.replies != NULL && run(&pass, data.buf, (size_t)data.len) < 0)
            Py_CLEAR(pass.replies);
        kvw_resp_reset(&pass.parser);
        builder_free(pass.builder);
        Py_CLEAR(pass.text);
    }
    PyBuffer_Release(&data);
    return pass.replies;
}
