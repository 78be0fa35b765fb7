/* Error codes: every one has a name and a message of its own. */
#include "kvwire/error.h"

#include "test.h"

static const int codes[] = {
#define KVW_XX(name, number, message) KVW_E##name,
    KVW_ERRNO_MAP(KVW_XX)
#undef KVW_XX
};

#define COUNT (sizeof(codes) / sizeof(codes[0]))

int main(void)
{
    CHECK_STR(kvw_err_name(KVW_ETIMEOUT), "TIMEOUT");
    CHECK_STR(kvw_err_message(KVW_ETIMEOUT), "timed out");
    for (size_t at = 0; at < COUNT; at++) {
        CHECK(codes[at] < 0);
        CHECK(strcmp(kvw_err_name(codes[at]), "UNKNOWN") != 0);
        CHECK(strcmp(kvw_err_message(codes[at]), "unknown error") != 0);
        for (size_t other = 0; other < at; other++) {
            CHECK(codes[at] != codes[other]);
            CHECK(strcmp(kvw_err_name(codes[at]), kvw_err_name(codes[other])) != 0);
        }
    }
    CHECK_STR(kvw_err_name(0), "OK");
    CHECK_STR(kvw_err_message(0), "success");
    CHECK_STR(kvw_err_name(-1000), "UNKNOWN");
    CHECK_STR(kvw_err_message(1), "unknown error");
    return test_result();
}
