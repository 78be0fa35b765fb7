/* Names and messages of the error codes, made from the one list in error.h. */
#include "kvwire/error.h"

const char *kvw_err_name(int err)
{
    switch (err) {
    case KVW_OK:
        return "OK";
#define KVW_XX(name, number, message) \
    case KVW_E##name:                 \
        return #name;
        KVW_ERRNO_MAP(KVW_XX)
#undef KVW_XX
    default:
        return "UNKNOWN";
    }
}

const char *kvw_err_message(int err)
{
    switch (err) {
    case KVW_OK:
        return "success";
#define KVW_XX(name, number, message) \
    case KVW_E##name:                 \
        return message;
        KVW_ERRNO_MAP(KVW_XX)
#undef KVW_XX
    default:
        return "unknown error";
    }
}
