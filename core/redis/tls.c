
/*
 * Copyright (C) The detemplate authors
 *
 * A context is made for each connection, so that renewed certificates are
 * used without a reload.
 */


#include <arpa/inet.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/redis/tls.h"


struct dt_redis_tls_s {
    SSL_CTX *ctx;
    SSL *ssl;
};


/* writes "what: why", where why is OpenSSL's text for the first error */
static void
dt_redis_tls_say(char *errstr, const char *what)
{
    unsigned long code = ERR_peek_error();
    const char *why = code ? ERR_reason_error_string(code) : NULL;

    if (code != 0 && ERR_GET_LIB(code) == ERR_LIB_SYS) {
        why = strerror(ERR_GET_REASON(code));
    }

    snprintf(errstr, DT_ERRSTR, "%s%s%s", what, why ? ": " : "",
             why ? why : "");
    ERR_clear_error();
}


/* loads the trusted certificates, and our own with its key; returns an error
   message, or NULL */
static const char *
dt_redis_tls_files(SSL_CTX *ctx, const dt_redis_conf_t *conf)
{
    if (!conf->insecure) {
        SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER, NULL);

        if (conf->ca[0]
                ? SSL_CTX_load_verify_locations(ctx, conf->ca, NULL) != 1
                : SSL_CTX_set_default_verify_paths(ctx) != 1)
        {
            return "the file of ca cannot be used";
        }
    }

    if (conf->cert[0]
        && SSL_CTX_use_certificate_chain_file(ctx, conf->cert) != 1) {
        return "the file of cert cannot be used";
    }

    if (conf->key[0]
        && (SSL_CTX_use_PrivateKey_file(ctx, conf->key, SSL_FILETYPE_PEM) != 1
            || SSL_CTX_check_private_key(ctx) != 1))
    {
        return "the file of key cannot be used";
    }

    return NULL;
}


int
dt_redis_tls_address(const char *host)
{
    char addr[16];

    return inet_pton(AF_INET, host, addr) == 1
           || inet_pton(AF_INET6, host, addr) == 1;
}


/* names the server: SNI is for names only, certificates have either */
static int
dt_redis_tls_name(SSL *ssl, const char *host)
{
    if (host[0] == '\0') {
        return 1;
    }

    if (dt_redis_tls_address(host)) {
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1;
    }

    return SSL_set_tlsext_host_name(ssl, host) == 1
           && SSL_set1_host(ssl, host) == 1;
}


/* a certificate without the name may have the address */
static int
dt_redis_tls_either(int ok, X509_STORE_CTX *store)
{
    SSL *ssl = X509_STORE_CTX_get_ex_data(
        store, SSL_get_ex_data_X509_STORE_CTX_idx());

    if (ok || X509_STORE_CTX_get_error(store) != X509_V_ERR_HOSTNAME_MISMATCH
        || X509_check_ip_asc(X509_STORE_CTX_get_current_cert(store),
                             SSL_get_app_data(ssl), 0)
               != 1)
    {
        return ok;
    }

    X509_STORE_CTX_set_error(store, X509_V_OK);

    return 1;
}


/* an encrypted key must fail, and not ask for a password */
static int
dt_redis_tls_password(char *buf, int size, int writing, void *data)
{
    (void) buf;
    (void) size;
    (void) writing;
    (void) data;

    return 0;
}


dt_redis_tls_t *
dt_redis_tls_create(int fd, const char *host, const char *name,
                    const dt_redis_conf_t *conf, char errstr[DT_ERRSTR])
{
    dt_redis_tls_t *t;
    const char *what = "out of memory";

    ERR_clear_error();

    t = calloc(1, sizeof(*t));
    if (t == NULL) {
        snprintf(errstr, DT_ERRSTR, "%s", what);
        return NULL;
    }

    t->ctx = SSL_CTX_new(TLS_client_method());

    if (t->ctx != NULL) {
        SSL_CTX_set_default_passwd_cb(t->ctx, dt_redis_tls_password);
        SSL_CTX_set_options(t->ctx,
                            SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
        SSL_CTX_set_mode(t->ctx, SSL_MODE_ENABLE_PARTIAL_WRITE
                                     | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        what = SSL_CTX_set_min_proto_version(t->ctx, TLS1_2_VERSION) == 1
                   ? dt_redis_tls_files(t->ctx, conf)
                   : "no TLS 1.2";
    }

    if (what == NULL) {
        t->ssl = SSL_new(t->ctx);

        what = t->ssl != NULL && dt_redis_tls_name(t->ssl, name ? name : host)
                       && SSL_set_fd(t->ssl, fd) == 1
                   ? NULL
                   : "TLS cannot be used";
    }

    if (what != NULL) {
        dt_redis_tls_say(errstr, what);
        dt_redis_tls_destroy(t);
        return NULL;
    }

    if (name != NULL) {
        (void) SSL_set_app_data(t->ssl, host);
        SSL_set_verify(t->ssl, SSL_get_verify_mode(t->ssl),
                       dt_redis_tls_either);
    }

    SSL_set_connect_state(t->ssl);

    return t;
}


void
dt_redis_tls_destroy(dt_redis_tls_t *t)
{
    if (t != NULL) {
        SSL_free(t->ssl);
        SSL_CTX_free(t->ctx);
        free(t);
        ERR_clear_error();
    }
}


/* the meaning of a call's result */
static dt_status_t
dt_redis_tls_result(dt_redis_tls_t *t, int rc, const char *what, char *errstr)
{
    int saved = errno;
    long verified;

    switch (SSL_get_error(t->ssl, rc)) {

    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
        return DT_DECLINED;

    case SSL_ERROR_SYSCALL:
        snprintf(errstr, DT_ERRSTR, "%s: %s", what,
                 saved ? strerror(saved) : "connection closed");
        break;

    default:
        verified = SSL_get_verify_result(t->ssl);

        if (verified != X509_V_OK && SSL_get_verify_mode(t->ssl)) {
            snprintf(errstr, DT_ERRSTR, "%s",
                     X509_verify_cert_error_string(verified));

        } else {
            dt_redis_tls_say(errstr, what);
        }
    }

    ERR_clear_error();

    return DT_EIO;
}


dt_status_t
dt_redis_tls_shake(dt_redis_tls_t *t, short *event, char errstr[DT_ERRSTR])
{
    int rc;

    ERR_clear_error();
    errno = 0;
    rc = SSL_do_handshake(t->ssl);
    *event = SSL_want_write(t->ssl) ? POLLOUT : POLLIN;

    return rc == 1 ? DT_OK
                   : dt_redis_tls_result(t, rc, "TLS handshake", errstr);
}


dt_status_t
dt_redis_tls_read(dt_redis_tls_t *t, char *buf, size_t size, size_t *n,
                  char errstr[DT_ERRSTR])
{
    int rc;

    ERR_clear_error();
    errno = 0;
    *n = 0;
    rc = SSL_read_ex(t->ssl, buf, size, n);

    if (rc == 1) {
        return DT_OK;
    }

    return SSL_get_error(t->ssl, rc) == SSL_ERROR_ZERO_RETURN
               ? DT_OK
               : dt_redis_tls_result(t, rc, "read", errstr);
}


dt_status_t
dt_redis_tls_write(dt_redis_tls_t *t, const char *buf, size_t len, size_t *n,
                   char errstr[DT_ERRSTR])
{
    int rc;

    ERR_clear_error();
    errno = 0;
    *n = 0;
    rc = SSL_write_ex(t->ssl, buf, len, n);

    return rc == 1 ? DT_OK : dt_redis_tls_result(t, rc, "write", errstr);
}
