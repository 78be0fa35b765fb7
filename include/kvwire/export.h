/* Visibility of public symbols. Everything that is not marked KVW_API is hidden; with KVW_EMBEDDED,
 * when the core is compiled into another module, everything is. */
#ifndef KVWIRE_EXPORT_H
#define KVWIRE_EXPORT_H

#if (defined(__GNUC__) || defined(__clang__)) && !defined(KVW_EMBEDDED)
#define KVW_API __attribute__((visibility("default")))
#else
#define KVW_API
#endif

#ifdef __cplusplus
#define KVW_BEGIN_DECLS extern "C" {
#define KVW_END_DECLS }
#else
#define KVW_BEGIN_DECLS
#define KVW_END_DECLS
#endif

#endif
