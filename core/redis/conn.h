
/*
 * Copyright (C) The detemplate authors
 *
 * Declarations for the files of this room: TLS, connections, the way to a
 * server, orders and events.
 */


#ifndef DT_REDIS_CONN_H_INCLUDED_
#define DT_REDIS_CONN_H_INCLUDED_


#include <sys/types.h>
#include <hiredis/hiredis.h>

#include "core/redis/redis.h"


/* TLS on a socket that does not block, for conn.c and dial.c only */

typedef struct dt_redis_tls_s dt_redis_tls_t;

/* Returns whether host is an address and not a name. */
int dt_redis_tls_address(const char *host);

/*
 * Prepares TLS to host, a name or an address, as conf says.  With a name that
 * is not NULL, host is an address, and the certificate may have either.  The
 * socket and host stay the caller's.  NULL, with a message: a file cannot be
 * used.
 */
dt_redis_tls_t *dt_redis_tls_create(int fd, const char *host, const char *name,
                                    const dt_redis_conf_t *conf,
                                    char errstr[DT_ERRSTR]);
void dt_redis_tls_destroy(dt_redis_tls_t *t);

/*
 * These functions never wait.  DT_DECLINED: the caller must poll the socket
 * for the event that dt_redis_tls_event() returns.  DT_EIO: an error, with a
 * message.  *n is the number of bytes; 0 bytes read: the other side has
 * closed.
 */
dt_status_t dt_redis_tls_shake(dt_redis_tls_t *t, char errstr[DT_ERRSTR]);
dt_status_t dt_redis_tls_read(dt_redis_tls_t *t, char *buf, size_t size,
                              size_t *n, char errstr[DT_ERRSTR]);
dt_status_t dt_redis_tls_write(dt_redis_tls_t *t, const char *buf, size_t len,
                               size_t *n, char errstr[DT_ERRSTR]);
short dt_redis_tls_event(const dt_redis_tls_t *t);


/*
 * One connection: commands go out, and answers come back in their order.  No
 * function takes longer than the times of the connection allow.
 */

#define DT_REDIS_ELEMENTS 32768 /* of all arrays of an answer */
#define DT_REDIS_ANSWERS 20     /* of a request */


/* a bound on the elements of all arrays of an answer */
typedef struct {
    size_t budget;
    unsigned refused : 1; /* more came, so the reader has failed */
    const redisReplyObjectFunctions *hiredis;
    redisReplyObjectFunctions fn;
} dt_redis_arrays_t;

/* counters of all connections of a client */
typedef struct {
    uint64_t sent;     /* bytes */
    uint64_t received; /* bytes */
} dt_redis_tally_t;

typedef struct {
    int fd; /* -1: closed */
    dt_redis_tls_t *tls;
    redisReader *reader;
    dt_redis_arrays_t arrays;
    char *out; /* bytes to be sent */
    size_t len;
    size_t sent;
    size_t room;
    size_t bytes;         /* read for the answer that comes next */
    unsigned waiting;     /* answers that are due */
    unsigned garbled : 1; /* closed because of a malformed answer */
    long timeout;         /* ms without any progress */
    int64_t due;          /* when all must be done */
    dt_redis_tally_t *tally;
    char peer[DT_LINK_PEER + 1];
    char errstr[DT_ERRSTR]; /* why it was closed */
} dt_redis_conn_t;


/* commands about keys of one slot, which are sent together */
typedef struct {
    unsigned slot;
    unsigned nomem : 1; /* a command is missing */
    char *cmds;
    size_t len;
    unsigned n;                    /* commands */
    size_t ends[DT_REDIS_ANSWERS]; /* of each of them, in cmds */

    /* the result: n answers; or DT_EIO and why there are none */

    dt_status_t rc;
    redisReply *answers[DT_REDIS_ANSWERS];
    char errstr[DT_ERRSTR];

    /* of route.c */

    unsigned node;
    unsigned opened;
    unsigned asking : 1;
    unsigned other : 1; /* was asked instead of a dead one */
    unsigned todo : 1;
    unsigned redirected;
    unsigned waited;
} dt_redis_request_t;


/* Initialises a closed connection. */
void dt_redis_conn_init(dt_redis_conn_t *c, dt_redis_tally_t *tally);

/*
 * Makes an open connection of the socket fd, which it owns, and of tls, which
 * it owns too, or NULL.  DT_ENOMEM: it is closed.
 */
dt_status_t dt_redis_conn_use(dt_redis_conn_t *c, int fd, dt_redis_tls_t *tls,
                              long timeout);
void dt_redis_conn_close(dt_redis_conn_t *c);

/* Closes the connection, with the message "redis PEER: what: why"; of why,
   which may be NULL, the first line counts.  Returns DT_EIO. */
dt_status_t dt_redis_conn_broken(dt_redis_conn_t *c, const char *what,
                                 const char *why);

/* Replaces bytes that cannot be printed by "?". */
void dt_redis_printable(char *text);

/* Sets the deadline of the following calls, in ms from now. */
void dt_redis_conn_time(dt_redis_conn_t *c, long ms);


/* Returns the next answer, which the caller frees, or NULL: the connection was
   closed. */
redisReply *dt_redis_conn_answer(dt_redis_conn_t *c);

/* The same without waiting.  DT_DECLINED: it has not come yet. */
dt_status_t dt_redis_conn_take(dt_redis_conn_t *c, redisReply **reply);

/* Returns the bytes of an answer that is a string, or no bytes. */
dt_str_t dt_redis_string(const redisReply *reply);

/* Whether an idle connection is still open.  If not, it is closed. */
int dt_redis_conn_alive(dt_redis_conn_t *c);

/* Waits for an event on the socket, not longer than the times allow: DT_OK, or
   DT_EIO with the connection closed. */
dt_status_t dt_redis_conn_wait(dt_redis_conn_t *c, short event,
                               const char *what);

/* Appends a command to a request, in the format of hiredis. */
void dt_redis_request_add(dt_redis_request_t *q, const char *format, ...);
void dt_redis_request_free(dt_redis_request_t *q);

/* Sends one command in that format.  DT_EIO: the connection is closed. */
dt_status_t dt_redis_send(dt_redis_conn_t *c, const char *format, ...);

/* Sends the commands on c; while it is asking, with ASKING before them, and
   without those that have an answer. */
dt_status_t dt_redis_request_send(dt_redis_request_t *q, dt_redis_conn_t *c);

/* Reads the answers to the commands sent.  DT_EIO: the connection is
   closed. */
dt_status_t dt_redis_request_receive(dt_redis_request_t *q,
                                     dt_redis_conn_t *c);

/* sent() frees the commands when they are sent, drop() the answers when they
   are read. */
void dt_redis_request_sent(dt_redis_request_t *q);
void dt_redis_request_drop(dt_redis_request_t *q);

/* Returns the error that an answer is, or that an answer to EXEC contains; or
   NULL.  One that begins with skip, unless that is NULL, does not count. */
const redisReply *dt_redis_error(const redisReply *reply, const char *skip);

/* Whether the text of an error has this code. */
int dt_redis_is(const char *text, const char *code);


/* opens a connection: the address of a name, TLS, the log-in */

#define DT_REDIS_ADDRS 8 /* addresses of a name that are tried */


/* a server, and our credentials there; strings belong to the configuration */
typedef struct {
    const char *host; /* NULL: path is a socket */
    int port;
    const char *name; /* another that its certificate may have; or NULL */
    const char *path;
    const char *user;          /* or empty */
    const char *password;      /* or empty */
    const char *user_file;     /* or empty */
    const char *password_file; /* or empty */
    unsigned db;
    unsigned tls;
} dt_redis_server_t;


/*
 * Connects c, which is closed, to the first address that answers, and logs in.
 * Each address has conf's time; after it all the rest has ten times that.
 * DT_EIO: c->errstr says why there is no connection.
 */
dt_status_t dt_redis_dial(dt_redis_conn_t *c, const dt_redis_conf_t *conf,
                          const dt_redis_server_t *s);

/* The same to the master that the sentinels of conf know, as s says. */
dt_status_t dt_redis_sentinel_dial(dt_redis_conn_t *c,
                                   const dt_redis_conf_t *conf,
                                   const dt_redis_server_t *s);


/*
 * Routes: chooses the connection for a request, to the only server, to the
 * master that sentinels know, or to a node of a cluster.
 */

#define DT_REDIS_NODES 64
#define DT_REDIS_SLOTS 16384


typedef struct {
    dt_redis_conn_t conn;
    char host[256]; /* empty: as configured */
    int port;
    unsigned opened;  /* counts its connections */
    unsigned failed;  /* failed attempts in a row */
    int64_t retry_at; /* no attempt to connect before this */
} dt_redis_node_t;

/* the nodes of a cluster; of other servers there is only the first */
typedef struct {
    const dt_redis_conf_t *conf;
    dt_redis_tally_t *tally;
    dt_redis_node_t nodes[DT_REDIS_NODES];
    unsigned n;
    unsigned cluster : 1;
    unsigned last;   /* the node that answered last */
    unsigned opened; /* counts connections */
    int64_t answered_at;
    int64_t due;
    int64_t patient_at; /* no request waits for a server before this */
    int64_t latency;    /* in us; negative: unknown */
    size_t held;        /* bytes of the answers of a run */
    uint8_t slots[DT_REDIS_SLOTS];
    char errstr[DT_ERRSTR];
} dt_redis_route_t;


/* Returns the slot of a key. */
unsigned dt_redis_slot(dt_str_t key);

/* Returns the back-off in ms after *failed failures, and adds one to
   *failed. */
long dt_redis_backoff(unsigned *failed);

void dt_redis_route_init(dt_redis_route_t *r, const dt_redis_conf_t *conf,
                         dt_redis_tally_t *tally);
void dt_redis_route_close(dt_redis_route_t *r);

/* Whether there is a connection. */
int dt_redis_route_is_open(const dt_redis_route_t *r);

/* Connects.  DT_EIO: r->errstr says why there is no connection. */
dt_status_t dt_redis_route_open(dt_redis_route_t *r);

/* Tends open connections when due: closes those that the server has closed,
   and sends PING to an idle server. */
void dt_redis_route_tick(dt_redis_route_t *r);

/* Returns the node that an error MOVED or ASK names, which came from the node
   from, or -1.  MOVED changes the slot. */
int dt_redis_route_redirect(dt_redis_route_t *r, unsigned from,
                            const char *text);

/* Opens a connection of its own to where keys of the slot are read. */
dt_status_t dt_redis_route_dial(dt_redis_route_t *r, dt_redis_conn_t *c,
                                unsigned slot);

/* Carries out n requests, and sets rc and answers of each. */
void dt_redis_route_run(dt_redis_route_t *r, dt_redis_request_t *const *q,
                        size_t n);


/*
 * Orders become requests, and answers become the answer to an order.  For
 * redis.c only.
 */

#define DT_REDIS_KEY (DT_REDIS_PREFIX + 3 * DT_LINK_SITE + 3)


/* the requests of an order, one behind the other */
enum {
    DT_REDIS_READ = 0, /* asks first */
    DT_REDIS_WRITE,    /* changes the site */
    DT_REDIS_LIST,     /* changes the list of sites */
    DT_REDIS_TELL,     /* tells the others */
    DT_REDIS_STEPS
};

typedef struct dt_redis_row_s dt_redis_row_t;

typedef struct {
    dt_frame_t *link;
    const dt_redis_conf_t *conf;
    const dt_redis_row_t *row;
    dt_redis_request_t q[DT_REDIS_STEPS];
    unsigned from; /* the requests from here to there are sent next */
    unsigned to;
    unsigned ended : 1;
    unsigned one : 1;                /* one server has all slots */
    char site[3 * DT_LINK_SITE + 1]; /* encoded */
    char key[DT_REDIS_KEY];          /* the beginning of the site's keys */
    char *joined; /* template and evidence; freed by dt_redis_order_free() */
    char text[DT_ERRSTR];
} dt_redis_order_t;

typedef void (*dt_redis_add_pt)(dt_redis_order_t *o, dt_redis_request_t *q);
typedef void (*dt_redis_look_pt)(dt_redis_order_t *o);

struct dt_redis_row_s {
    dt_redis_add_pt add[DT_REDIS_STEPS]; /* adds commands; NULL: there are
                                            none; may end the order */
    dt_redis_look_pt look; /* at the answers; may end the order, too */
    dt_redis_look_pt done; /* ends the order; NULL: it is no order */
    dt_link_did_e did;     /* announced to other machines */
};

/* by dt_link_what_e */
extern const dt_redis_row_t dt_redis_rows[DT_LINK_LAST];


/*
 * Begins an order: its requests from..to are to be carried out, or it is done
 * when there are none.  one: a single server executes the commands in the
 * order sent, so that no command has to wait for an earlier one's answer.
 */
void dt_redis_order_begin(dt_redis_order_t *o, dt_frame_t *link,
                          const dt_redis_conf_t *conf, unsigned one);

/* Chooses the next requests when these were carried out, likewise. */
void dt_redis_order_next(dt_redis_order_t *o);

/* Ends the order with rc and a text. */
void dt_redis_order_end(dt_redis_order_t *o, dt_status_t rc, const char *text);

void dt_redis_order_free(dt_redis_order_t *o);


/*
 * Follows the stream of events, on a connection of its own.  For redis.c only.
 */

/* the number of an entry */
typedef struct {
    uint64_t ms;
    uint64_t seq;
} dt_redis_id_t;

typedef struct {
    dt_redis_conn_t conn;
    const dt_redis_conf_t *conf;
    dt_redis_route_t *route;
    char stream[DT_REDIS_PREFIX + 8];
    dt_redis_id_t last;  /* the entry that was seen last */
    unsigned known : 1;  /* there is such an entry, or there was none */
    unsigned blind : 1;  /* the stream cannot be read */
    unsigned moved : 1;  /* the stream is at another node */
    unsigned gap : 1;    /* a gap must be reported */
    unsigned older : 1;  /* older machines, which read only whole templates,
                            also learn */
    unsigned failed;     /* attempts to connect in a row */
    int64_t retry_at;    /* no attempt before this */
    int64_t answered_at; /* monotonic, in ms */
    int64_t event_at;    /* seconds since 1970, or 0 */
} dt_redis_events_t;

typedef void (*dt_redis_news_t)(void *data, dt_frame_t *news);


void dt_redis_events_init(dt_redis_events_t *e, dt_redis_route_t *route);

/* Connects if it is time to, and closes a connection that has died.  Returns
   the ms until it should be called again. */
long dt_redis_events_tick(dt_redis_events_t *e);

/* Reads the events that have arrived. */
void dt_redis_events_read(dt_redis_events_t *e, dt_redis_news_t fn,
                          void *data);


#endif /* DT_REDIS_CONN_H_INCLUDED_ */
