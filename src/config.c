/* Copies of configurations. */
#include "os.h"

#include <string.h>

#include "config.h"
#include "kvwire/alloc.h"
#include "wipe.h"

/* 1, or 0 without memory. The copy of NULL is NULL. */
static int copy_string(const char **to, const char *from)
{
    size_t len;
    char *copy;

    *to = NULL;
    if (from == NULL)
        return 1;
    len = strlen(from) + 1;
    copy = kvw_malloc(len);
    if (copy == NULL)
        return 0;
    memcpy(copy, from, len);
    *to = copy;
    return 1;
}

static void free_string(const char **string)
{
    kvw_free((void *)(uintptr_t)*string);
    *string = NULL;
}

static void wipe_string(const char **string)
{
    if (*string != NULL)
        kvw__wipe((void *)(uintptr_t)*string, strlen(*string));
    free_string(string);
}

int kvw__config_copy(kvw_config_t *to, const kvw_config_t *from)
{
    int good;

    *to = *from;
    /* Every one of them, so that none is left pointing to the caller's string. */
    good = copy_string(&to->host, from->host);
    good &= copy_string(&to->path, from->path);
    good &= copy_string(&to->username, from->username);
    good &= copy_string(&to->password, from->password);
    good &= copy_string(&to->client_name, from->client_name);
    if (good)
        return 0;
    kvw__config_free(to);
    return KVW_ENOMEM;
}

void kvw__config_forget(kvw_config_t *config)
{
    wipe_string(&config->username);
    wipe_string(&config->password);
}

void kvw__config_free(kvw_config_t *config)
{
    kvw__config_forget(config);
    free_string(&config->host);
    free_string(&config->path);
    free_string(&config->client_name);
}
