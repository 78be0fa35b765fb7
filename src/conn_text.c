/* The words that messages are made of. */
#include "os.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conn_impl.h"

const char *kvw__text_errno(int err, char *out, size_t cap)
{
    switch (err) {
    case ECONNREFUSED:
        return "connection refused";
    case ENOENT:
        return "no such socket";
    case ETIMEDOUT:
        return "the host does not answer";
    case EHOSTUNREACH:
        return "no route to the host";
    case ENETUNREACH:
        return "the network is unreachable";
    case ECONNRESET:
        return "connection reset by the server";
    case EPIPE:
        return "the server has closed the connection";
    case EACCES:
    case EPERM:
        return "permission denied";
    case ENAMETOOLONG:
        return "the path of the socket is too long";
    default:
        if (strerror_r(err, out, cap) != 0)
            snprintf(out, cap, "error %d", err);
        if (out[0] >= 'A' && out[0] <= 'Z')
            out[0] = (char)(out[0] - 'A' + 'a');
        return out;
    }
}

const char *kvw__text_span(int64_t span, char *out, size_t cap)
{
    /* Not %f, whose point depends on the locale. */
    if (span < 1000000000)
        snprintf(out, cap, "%lld ms", (long long)(span / 1000000));
    else
        snprintf(out, cap, "%lld.%lld s", (long long)(span / 1000000000),
                 (long long)(span / 100000000 % 10));
    return out;
}

/* Write one byte so that it can be read. Returns the length, which is at most 4. */
static size_t put_byte(char *out, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";

    switch (byte) {
    case '\r':
        memcpy(out, "\\r", 2);
        return 2;
    case '\n':
        memcpy(out, "\\n", 2);
        return 2;
    case '\t':
        memcpy(out, "\\t", 2);
        return 2;
    case '\\':
    case '\'':
        out[0] = '\\';
        out[1] = (char)byte;
        return 2;
    default:
        if (byte >= 0x20 && byte < 0x7f) {
            out[0] = (char)byte;
            return 1;
        }
        out[0] = '\\';
        out[1] = 'x';
        out[2] = digits[byte >> 4];
        out[3] = digits[byte & 15];
        return 4;
    }
}

const char *kvw__text_quote(const kvw_conn_t *conn, const char *bytes, size_t len, size_t most,
                            char *out, size_t cap)
{
    const char *secret = conn->config.password;
    size_t secret_len = secret != NULL ? strlen(secret) : 0;
    size_t at = 0, to = 0;

    while (at < len && at < most && to + 8 < cap) {
        /* Servers repeat what they do not understand. */
        if (secret_len != 0 && secret_len <= len - at &&
            memcmp(bytes + at, secret, secret_len) == 0) {
            memcpy(out + to, "***", 3);
            to += 3;
            at += secret_len;
        } else {
            to += put_byte(out + to, (unsigned char)bytes[at++]);
        }
    }
    if (at < len) {
        memcpy(out + to, "...", 3);
        to += 3;
    }
    out[to] = '\0';
    return out;
}
