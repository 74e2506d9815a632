
/*
 * Copyright (C) The detemplate authors
 *
 * Names are looked up at each connect, so that a server that has moved is
 * found.  Passwords are read at each connect, so that they can be changed. The
 * log-in and its PING are one round trip.  The text of a refused log-in may
 * quote the password, so only its code is told.
 *
 * Each sentinel is asked in turn.  Its answer may be old, so the server must
 * confirm that it is the master.
 */


#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/redis/dial.h"
#include "core/base/dt.h"
#include "core/redis/conn.h"


/* reads the first line of a file, without its end; 0: there is none */
static int
dt_redis_line(const char *file, char *buf, size_t size)
{
    int fd;
    ssize_t n = -1;
    struct stat st;

    /* O_NONBLOCK and the check of the type: a FIFO must not block us */
    fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd == -1) {
        return 0;
    }

    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        n = read(fd, buf, size);
    }

    (void) close(fd);

    if (n <= 0) {
        return 0;
    }

    for (size_t i = 0; i < (size_t) n; i++) {
        if (buf[i] == '\r' || buf[i] == '\n' || buf[i] == '\0') {
            buf[i] = '\0';
            return i != 0;
        }
    }

    if ((size_t) n == size) {
        return 0;
    }

    buf[n] = '\0';

    return 1;
}


/* connects to one address; DT_EIO with a message */
static dt_status_t
dt_redis_connect(dt_redis_conn_t *c, const struct sockaddr *sa, socklen_t len,
                 const dt_redis_conf_t *conf, const dt_redis_server_t *s)
{
    int fd, err = 0, on = 1;
    short event;
    socklen_t size = sizeof(err);
    char why[DT_ERRSTR];
    dt_status_t rc;

    fd = socket(sa->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd == -1) {
        return dt_redis_conn_broken(c, "socket", strerror(errno));
    }

    if (dt_redis_conn_use(c, fd, conf->timeout) != DT_OK) {
        return DT_EIO;
    }

    if (sa->sa_family != AF_UNIX) {
        (void) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        (void) setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    }

    if (connect(fd, sa, len) == -1) {
        if (errno != EINPROGRESS) {
            return dt_redis_conn_broken(c, "connect", strerror(errno));
        }

        if (dt_redis_conn_wait(c, POLLOUT, "connect") != DT_OK) {
            return DT_EIO;
        }

        if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &size) != 0) {
            err = errno;
        }

        if (err) {
            return dt_redis_conn_broken(c, "connect", strerror(err));
        }
    }

    if (!s->tls) {
        return DT_OK;
    }

    c->tls =
        dt_redis_tls_create(fd, s->host ? s->host : "", s->name, conf, why);
    if (c->tls == NULL) {
        return dt_redis_conn_broken(c, why, NULL);
    }

    while ((rc = dt_redis_tls_shake(c->tls, &event, why)) == DT_DECLINED) {
        if (dt_redis_conn_wait(c, event, "TLS handshake") != DT_OK) {
            return DT_EIO;
        }
    }

    return rc == DT_OK ? DT_OK : dt_redis_conn_broken(c, why, NULL);
}


/* connects to the socket, or to the first address of the host that answers */
static dt_status_t
dt_redis_reach(dt_redis_conn_t *c, const dt_redis_conf_t *conf,
               const dt_redis_server_t *s)
{
    int rc, n = 0;
    char port[16], addr[64];
    dt_status_t status = DT_EIO;
    struct addrinfo *ai, *all, hints = { .ai_socktype = SOCK_STREAM };
    struct sockaddr_un un = { .sun_family = AF_UNIX };

    if (s->host == NULL) {
        snprintf(c->peer, sizeof(c->peer), "unix:%s", s->path);
        snprintf(un.sun_path, sizeof(un.sun_path), "%s", s->path);
        dt_redis_conn_time(c, conf->timeout * 10);

        return dt_redis_connect(c, (struct sockaddr *) &un, sizeof(un), conf,
                                s);
    }

    snprintf(c->peer, sizeof(c->peer), "%.240s:%d", s->host, s->port);
    snprintf(port, sizeof(port), "%d", s->port);

    rc = getaddrinfo(s->host, port, &hints, &all);
    if (rc != 0) {
        return dt_redis_conn_broken(c, "host", gai_strerror(rc));
    }

    for (ai = all; ai != NULL && n < DT_REDIS_ADDRS; ai = ai->ai_next, n++) {
        if (getnameinfo(ai->ai_addr, ai->ai_addrlen, addr, sizeof(addr), NULL,
                        0, NI_NUMERICHOST)
            == 0)
        {
            snprintf(c->peer, sizeof(c->peer),
                     ai->ai_family == AF_INET6 ? "[%s]:%d" : "%s:%d", addr,
                     s->port);
        }

        dt_redis_conn_time(c, conf->timeout * 10);
        status = dt_redis_connect(c, ai->ai_addr, ai->ai_addrlen, conf, s);
        if (status == DT_OK) {
            break;
        }
    }

    freeaddrinfo(all);

    return status;
}


/* adds AUTH, SELECT and PING; *auth: an AUTH is among them */
static dt_status_t
dt_redis_greet(dt_redis_conn_t *c, const dt_redis_server_t *s,
               dt_redis_request_t *q, int *auth)
{
    char user[DT_REDIS_USER + 2], secret[DT_REDIS_SECRET + 2];
    const char *u = s->user, *p = s->password;

    if (s->user_file[0]) {
        if (!dt_redis_line(s->user_file, user, sizeof(user))) {
            return dt_redis_conn_broken(
                c, "the file of the user cannot be read", NULL);
        }

        u = user;
    }

    if (s->password_file[0]) {
        if (!dt_redis_line(s->password_file, secret, sizeof(secret))) {
            return dt_redis_conn_broken(
                c, "the file of the password cannot be read", NULL);
        }

        p = secret;
    }

    *auth = p[0] != '\0';

    if (*auth && u[0]) {
        dt_redis_request_add(q, "AUTH %s %s", u, p);

    } else if (*auth) {
        dt_redis_request_add(q, "AUTH %s", p);
    }

    if (s->db) {
        dt_redis_request_add(q, "SELECT %u", s->db);
    }

    dt_redis_request_add(q, "PING");

    return DT_OK;
}


/* a server that refuses the first command may close at once, so answers that
   have come count also when others have not */
static dt_status_t
dt_redis_greeted(dt_redis_conn_t *c, dt_redis_request_t *q, int auth)
{
    char why[DT_ERRSTR];
    dt_status_t rc;
    const redisReply *e;

    rc = dt_redis_request_receive(q, c);

    for (unsigned i = 0; i < q->n && q->answers[i] != NULL; i++) {

        /* NOPERM also proves that the server answers */

        e = dt_redis_error(q->answers[i], "NOPERM ");
        if (e == NULL) {
            continue;
        }

        snprintf(why, sizeof(why), "%s", e->str);

        if (auth && i == 0) {
            why[strcspn(why, " ")] = '\0';
        }

        return dt_redis_conn_broken(
            c, auth && i == 0 ? "log-in refused" : "server", why);
    }

    return rc;
}


dt_status_t
dt_redis_dial(dt_redis_conn_t *c, const dt_redis_conf_t *conf,
              const dt_redis_server_t *s)
{
    int auth = 0;
    dt_status_t rc;
    dt_redis_request_t q = { 0 };

    rc = dt_redis_reach(c, conf, s);

    if (rc == DT_OK) {
        rc = dt_redis_greet(c, s, &q, &auth);
    }

    if (rc == DT_OK) {
        rc = dt_redis_request_send(&q, c);
    }

    if (rc == DT_OK) {
        rc = dt_redis_greeted(c, &q, auth);
    }

    dt_redis_request_free(&q);

    return rc;
}


/* asks one sentinel for the address */
static dt_status_t
dt_redis_sentinel_master(dt_redis_conn_t *c, const dt_redis_conf_t *conf,
                         const dt_redis_host_t *at, dt_redis_host_t *out)
{
    uint64_t port;
    dt_str_t name;
    dt_status_t rc = DT_EIO;
    redisReply *reply;
    dt_redis_server_t s = { .host = at->name,
                            .port = at->port,
                            .path = "",
                            .user = "",
                            .password = "",
                            .user_file = "",
                            .password_file = conf->sentinel_password_file,
                            .tls = conf->url.tls };

    if (dt_redis_dial(c, conf, &s) != DT_OK) {
        return DT_EIO;
    }

    if (dt_redis_send(c, "SENTINEL get-master-addr-by-name %s",
                      conf->url.master)
            != DT_OK
        || (reply = dt_redis_conn_answer(c)) == NULL)
    {
        return DT_EIO;
    }

    if (reply->type == REDIS_REPLY_ARRAY && reply->elements == 2) {
        name = dt_redis_string(reply->element[0]);

        if (name.len > 0 && name.len < sizeof(out->name)
            && dt_str_number(dt_redis_string(reply->element[1]), 65535, &port)
            && port != 0)
        {
            memcpy(out->name, name.data, name.len + 1);
            out->port = (int) port;
            rc = DT_OK;
        }
    }

    if (rc == DT_OK) {
        dt_redis_conn_close(c);

    } else if (reply->type == REDIS_REPLY_ERROR) {
        (void) dt_redis_conn_broken(c, "sentinel", reply->str);

    } else {
        (void) dt_redis_conn_broken(c, "the sentinel knows no such master",
                                    NULL);
    }

    freeReplyObject(reply);

    return rc;
}


/* whether the server says that it is the master */
static dt_status_t
dt_redis_sentinel_role(dt_redis_conn_t *c)
{
    dt_status_t rc = DT_EIO;
    redisReply *reply;

    if (dt_redis_send(c, "ROLE") != DT_OK
        || (reply = dt_redis_conn_answer(c)) == NULL)
    {
        return DT_EIO;
    }

    if (reply->type == REDIS_REPLY_ERROR) {
        (void) dt_redis_conn_broken(c, "server", reply->str);

    } else if (reply->type == REDIS_REPLY_ARRAY && reply->elements > 0
               && dt_str_eq(dt_redis_string(reply->element[0]),
                            dt_str("master")))
    {
        rc = DT_OK;

    } else {
        (void) dt_redis_conn_broken(c, "the server is not the master", NULL);
    }

    freeReplyObject(reply);

    return rc;
}


dt_status_t
dt_redis_sentinel_dial(dt_redis_conn_t *c, const dt_redis_conf_t *conf,
                       const dt_redis_server_t *s)
{
    dt_redis_host_t master;
    dt_redis_server_t server = *s;

    for (unsigned i = 0; i < conf->url.nhosts; i++) {
        if (dt_redis_sentinel_master(c, conf, &conf->url.hosts[i], &master)
            != DT_OK) {
            continue;
        }

        server.host = master.name;
        server.port = master.port;

        if (dt_redis_dial(c, conf, &server) == DT_OK
            && dt_redis_sentinel_role(c) == DT_OK)
        {
            return DT_OK;
        }
    }

    return DT_EIO;
}
