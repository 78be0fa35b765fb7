/* The pool of lanes. */
#include "os.h"

#include <pthread.h>
#include <string.h>

#include "config.h"
#include "conn_impl.h"
#include "kvwire/alloc.h"
#include "lane_impl.h"

struct kvw_pool {
    pthread_mutex_t mutex;
    kvw_pool_t *next, **link; /* in the list of all pools */
    kvw_config_t config;
    size_t max_lanes;

    /* Guarded by the mutex. Every lane that is not being freed is in one of the lists. */
    kvw_lane_t *idle, *busy;         /* lanes that share; idle: the last used first */
    kvw_lane_t *own_idle, *own_busy; /* lanes of one user each */
    size_t shared;                   /* idle and busy ones that have not failed */
    size_t all;                      /* lanes not yet freed */
    unsigned generation;
    uint8_t closed, unwanted;
};

/* ---- lists -------------------------------------------------------------------------------- */

static void insert(kvw_lane_t **list, kvw_lane_t *lane)
{
    lane->next = *list;
    lane->link = list;
    if (lane->next != NULL)
        lane->next->link = &lane->next;
    *list = lane;
}

static void append(kvw_lane_t **list, kvw_lane_t *lane)
{
    while (*list != NULL)
        list = &(*list)->next;
    insert(list, lane);
}

static void extract(kvw_lane_t *lane)
{
    if (lane->link == NULL)
        return;
    *lane->link = lane->next;
    if (lane->next != NULL)
        lane->next->link = lane->link;
    lane->next = NULL;
    lane->link = NULL;
}

static size_t length(const kvw_lane_t *list)
{
    size_t count = 0;

    for (; list != NULL; list = list->next)
        count++;
    return count;
}

static void free_all(kvw_lane_t *list)
{
    while (list != NULL) {
        kvw_lane_t *next = list->next;

        kvw__lane_free(list);
        list = next;
    }
}

/* Take a lane out of the pool; it is freed without the mutex, since that may call out. */
static void bury(kvw_pool_t *pool, kvw_lane_t *lane, kvw_lane_t **dead)
{
    extract(lane);
    insert(dead, lane);
    pool->all--;
}

static void bury_all(kvw_pool_t *pool, kvw_lane_t **list, kvw_lane_t **dead)
{
    while (*list != NULL)
        bury(pool, *list, dead);
}

/* ---- fork --------------------------------------------------------------------------------- */

/* All pools, so that none is in the middle of a change when the process forks. The order of locks
 * is: this one, a pool's, a lane's. */
static pthread_mutex_t pools_mutex = PTHREAD_MUTEX_INITIALIZER;
static kvw_pool_t *pools;

#define LISTS 4

static kvw_lane_t *list_of(const kvw_pool_t *pool, int which)
{
    kvw_lane_t *const lists[LISTS] = {pool->idle, pool->busy, pool->own_idle, pool->own_busy};

    return lists[which];
}

static void before_fork(void)
{
    pthread_mutex_lock(&pools_mutex);
    for (kvw_pool_t *pool = pools; pool != NULL; pool = pool->next) {
        pthread_mutex_lock(&pool->mutex);
        for (int which = 0; which < LISTS; which++) {
            for (kvw_lane_t *lane = list_of(pool, which); lane != NULL; lane = lane->next)
                kvw__lane_lock(lane);
        }
    }
}

static void behind_fork(void)
{
    for (kvw_pool_t *pool = pools; pool != NULL; pool = pool->next) {
        for (int which = 0; which < LISTS; which++) {
            for (kvw_lane_t *lane = list_of(pool, which); lane != NULL; lane = lane->next)
                kvw__lane_unlock(lane);
        }
        pthread_mutex_unlock(&pool->mutex);
    }
    pthread_mutex_unlock(&pools_mutex);
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, behind_fork, behind_fork);
}

/* In a child process: the lanes are the parent's. Idle ones go; those in use stay with whoever
 * gives them back, if that thread is here at all, and are in no list any more. */
static void after_fork(kvw_pool_t *pool, kvw_lane_t **dead)
{
    kvw_lane_t **const in_use[] = {&pool->busy, &pool->own_busy};

    if (pool->generation == kvw__fork_generation())
        return;
    pool->generation = kvw__fork_generation();
    bury_all(pool, &pool->idle, dead);
    bury_all(pool, &pool->own_idle, dead);
    for (size_t at = 0; at < sizeof(in_use) / sizeof(in_use[0]); at++) {
        while (*in_use[at] != NULL) {
            kvw_lane_t *lane = *in_use[at];

            kvw__lane_after_fork(lane);
            extract(lane);
        }
    }
    pool->shared = 0;
}

/* ---- life --------------------------------------------------------------------------------- */

kvw_pool_t *kvw_pool_new(const kvw_config_t *config, size_t max_lanes)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    kvw_pool_t *pool = kvw_malloc(sizeof(*pool));

    if (pool == NULL)
        return NULL;
    memset(pool, 0, sizeof(*pool));
    if (kvw__config_copy(&pool->config, config) != 0) {
        kvw_free(pool);
        return NULL;
    }
    kvw__fork_watch();
    pthread_once(&once, watch_forks);
    pthread_mutex_init(&pool->mutex, NULL);
    pool->max_lanes = max_lanes != 0 ? max_lanes : 1;
    pool->generation = kvw__fork_generation();
    pthread_mutex_lock(&pools_mutex);
    pool->next = pools;
    pool->link = &pools;
    if (pool->next != NULL)
        pool->next->link = &pool->next;
    pools = pool;
    pthread_mutex_unlock(&pools_mutex);
    return pool;
}

static void destroy(kvw_pool_t *pool)
{
    pthread_mutex_lock(&pools_mutex);
    *pool->link = pool->next;
    if (pool->next != NULL)
        pool->next->link = pool->link;
    pthread_mutex_unlock(&pools_mutex);
    pthread_mutex_destroy(&pool->mutex);
    kvw__config_free(&pool->config);
    kvw_free(pool);
}

static void close_pool(kvw_pool_t *pool, int unwanted)
{
    kvw_lane_t *dead = NULL;
    int is_last;

    pthread_mutex_lock(&pool->mutex);
    after_fork(pool, &dead);
    pool->closed = 1;
    pool->shared -= length(pool->idle);
    bury_all(pool, &pool->idle, &dead);
    bury_all(pool, &pool->own_idle, &dead);
    for (kvw_lane_t *lane = pool->own_busy; lane != NULL; lane = lane->next)
        atomic_store_explicit(&lane->closing, 1, memory_order_relaxed);
    pool->unwanted |= (uint8_t)unwanted;
    is_last = unwanted && pool->all == 0;
    pthread_mutex_unlock(&pool->mutex);
    free_all(dead);
    if (is_last)
        destroy(pool);
}

void kvw_pool_close(kvw_pool_t *pool)
{
    close_pool(pool, 0);
}

void kvw_pool_free(kvw_pool_t *pool)
{
    if (pool != NULL)
        close_pool(pool, 1);
}

size_t kvw_pool_size(const kvw_pool_t *pool)
{
    pthread_mutex_t *mutex = (pthread_mutex_t *)(uintptr_t)&pool->mutex;
    size_t all;

    pthread_mutex_lock(mutex);
    all = pool->all;
    pthread_mutex_unlock(mutex);
    return all;
}

/* ---- taking ------------------------------------------------------------------------------- */

static int has_failed(const kvw_lane_t *lane)
{
    return kvw_conn_state(lane->conn) == KVW_STATE_CLOSED;
}

/* The last used idle lane of the list that can still be used. */
static kvw_lane_t *take_idle(kvw_pool_t *pool, kvw_lane_t **list, kvw_lane_t **dead)
{
    while (*list != NULL) {
        kvw_lane_t *lane = *list;

        if (kvw__lane_is_usable(lane)) {
            extract(lane);
            return lane;
        }
        pool->shared -= !lane->own;
        bury(pool, lane, dead);
    }
    return NULL;
}

static kvw_lane_t *make(kvw_pool_t *pool, int own)
{
    kvw_lane_t *lane = kvw__lane_new(&pool->config);

    if (lane == NULL)
        return NULL;
    lane->own = own != 0;
    pool->shared += !own;
    pool->all++;
    return lane;
}

/* The lane in use with the fewest users. Failed ones do not count any more. */
static kvw_lane_t *least_busy(kvw_pool_t *pool)
{
    kvw_lane_t *best = NULL;

    for (kvw_lane_t *lane = pool->busy; lane != NULL; lane = lane->next) {
        if (!lane->failed && has_failed(lane)) {
            lane->failed = 1;
            pool->shared--;
        }
        if (!lane->failed && (best == NULL || lane->users < best->users))
            best = lane;
    }
    return best;
}

static kvw_lane_t *take_shared(kvw_pool_t *pool, kvw_lane_t **dead)
{
    kvw_lane_t *lane = take_idle(pool, &pool->idle, dead);
    kvw_lane_t *busy = lane == NULL ? least_busy(pool) : NULL;

    if (lane == NULL && pool->shared < pool->max_lanes)
        lane = make(pool, 0);
    if (lane == NULL)
        return busy;
    insert(&pool->busy, lane);
    return lane;
}

static kvw_lane_t *take_new(kvw_pool_t *pool, kvw_lane_t **dead)
{
    kvw_lane_t *lane = make(pool, 1);

    (void)dead;
    if (lane != NULL)
        insert(&pool->own_busy, lane);
    return lane;
}

static kvw_lane_t *take_own(kvw_pool_t *pool, kvw_lane_t **dead)
{
    kvw_lane_t *lane = take_idle(pool, &pool->own_idle, dead);

    if (lane == NULL)
        return take_new(pool, dead);
    insert(&pool->own_busy, lane);
    return lane;
}

static int take(kvw_pool_t *pool, kvw_lane_t **lane,
                kvw_lane_t *(*choose)(kvw_pool_t *pool, kvw_lane_t **dead))
{
    kvw_lane_t *dead = NULL;
    int err = KVW_ECLOSED;

    *lane = NULL;
    pthread_mutex_lock(&pool->mutex);
    after_fork(pool, &dead);
    if (!pool->closed) {
        *lane = choose(pool, &dead);
        err = *lane == NULL ? KVW_ENOMEM : 0;
    }
    if (*lane != NULL)
        (*lane)->users++;
    pthread_mutex_unlock(&pool->mutex);
    free_all(dead);
    return err;
}

int kvw_pool_take(kvw_pool_t *pool, kvw_lane_t **lane)
{
    return take(pool, lane, take_shared);
}

int kvw_pool_take_own(kvw_pool_t *pool, kvw_lane_t **lane)
{
    return take(pool, lane, take_own);
}

int kvw_pool_take_new(kvw_pool_t *pool, kvw_lane_t **lane)
{
    return take(pool, lane, take_new);
}

/* ---- giving back -------------------------------------------------------------------------- */

static int is_worth_keeping(const kvw_pool_t *pool, const kvw_lane_t *lane, int broken)
{
    int midway;

    if (pool->closed || lane->link == NULL || has_failed(lane))
        return 0;
    midway = kvw_conn_is_midway(lane->conn);
    /* Nobody would send the rest of a call that has ended, until somebody takes the lane again, be
     * it hours later: it must not run then. And who takes it would have to wait for the rest of a
     * reply that may never come. */
    if (kvw_conn_unsent(lane->conn) != 0 || midway == KVW_MIDWAY_REPLY ||
        (midway == KVW_MIDWAY_PUSH && kvw_conn_in_flight(lane->conn) != 0))
        return 0;
    if (!lane->own)
        return 1;
    return !broken && kvw_conn_in_flight(lane->conn) == 0 &&
           length(pool->own_idle) < pool->max_lanes;
}

/* The last user has gone. */
static void retire(kvw_pool_t *pool, kvw_lane_t *lane, int broken, kvw_lane_t **dead)
{
    int keep = is_worth_keeping(pool, lane, broken);

    if (!keep && !lane->own && !lane->failed && lane->link != NULL)
        pool->shared--;
    if (!keep) {
        bury(pool, lane, dead);
        return;
    }
    extract(lane);
    if (lane->own)
        insert(&pool->own_idle, lane);
    else if (kvw_conn_in_flight(lane->conn) == 0)
        insert(&pool->idle, lane);
    else
        append(&pool->idle, lane); /* late replies are still to come: better take another one */
}

void kvw_pool_give(kvw_pool_t *pool, kvw_lane_t *lane, int broken)
{
    kvw_lane_t *dead = NULL;
    int is_last;

    pthread_mutex_lock(&pool->mutex);
    after_fork(pool, &dead);
    if (--lane->users == 0)
        retire(pool, lane, broken, &dead);
    is_last = pool->unwanted && pool->all == 0;
    pthread_mutex_unlock(&pool->mutex);
    free_all(dead);
    if (is_last)
        destroy(pool);
}
