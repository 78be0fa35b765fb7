/* Copies of configurations. */
#ifndef KVWIRE_CONFIG_H
#define KVWIRE_CONFIG_H

#include "kvwire/conn.h"

/* Copy with all strings: 0 or KVW_ENOMEM, and then *to holds nothing. */
int kvw__config_copy(kvw_config_t *to, const kvw_config_t *from);

/* Wipe and free the password and the user's name. */
void kvw__config_forget(kvw_config_t *config);

/* Free all strings, the secret ones wiped. */
void kvw__config_free(kvw_config_t *config);

#endif
