
/*
 * Copyright (C) The detemplate authors
 */


#include "core/base/link.h"


#define DT_LINK_MAGIC 0x4b4c5444 /* "DTLK" */


const char *const dt_link_dids[DT_LINK_DIDS] = { "learn", "forget", "relearn",
                                                 "pin", "unpin" };


_Static_assert(sizeof(dt_frame_head_t) % 8 == 0, "the template is aligned");


/* whether the lengths and numbers of a frame are within their bounds */
static int
dt_link_bounded(const dt_frame_t *f)
{
    return f->what >= DT_LINK_CONF && f->what < DT_LINK_LAST
           && f->rc <= DT_EBUG && f->event < DT_LINK_DIDS
           && f->flags <= DT_LINK_FLAGS && f->ttl <= DT_LINK_TTL
           && f->site.len <= DT_LINK_SITE && f->text.len <= DT_LINK_TEXT
           && f->peer.len <= DT_LINK_PEER && f->bytes.len <= DT_LINK_BYTES;
}


/* the bytes of a frame that is within its bounds */
static size_t
dt_link_sum(const dt_frame_t *f)
{
    size_t n = sizeof(dt_frame_head_t) + f->bytes.len + f->site.len
               + f->text.len + f->peer.len;

    return (n + 7) & ~(size_t) 7;
}


size_t
dt_link_size(const dt_frame_t *frame)
{
    return dt_link_bounded(frame) ? dt_link_sum(frame) : 0;
}


/* copies a slice, and returns the position behind it */
static char *
dt_link_copy(char *p, dt_str_t s)
{
    if (s.len) {
        memcpy(p, s.data, s.len);
    }

    return p + s.len;
}


void
dt_link_encode(const dt_frame_t *frame, char *buf)
{
    char *p;
    size_t size = dt_link_sum(frame);
    dt_frame_head_t head;

    memset(&head, 0, sizeof(head));
    head.magic = DT_LINK_MAGIC;
    head.size = (uint32_t) size;
    head.frame = *frame;
    head.frame.site.data = NULL;
    head.frame.text.data = NULL;
    head.frame.peer.data = NULL;
    head.frame.bytes.data = NULL;

    memcpy(buf, &head, sizeof(head));

    p = dt_link_copy(buf + sizeof(head), frame->bytes);
    p = dt_link_copy(p, frame->site);
    p = dt_link_copy(p, frame->text);
    p = dt_link_copy(p, frame->peer);

    memset(p, 0, size - (size_t) (p - buf));
}


size_t
dt_link_promise(const char *buf, size_t len)
{
    dt_frame_head_t head;

    if (len < sizeof(head)) {
        return 0;
    }

    memcpy(&head, buf, sizeof(head));

    return head.magic == DT_LINK_MAGIC && dt_link_bounded(&head.frame)
                   && dt_link_sum(&head.frame) == head.size
               ? head.size
               : SIZE_MAX;
}


dt_status_t
dt_link_decode(const char *buf, size_t len, dt_frame_t *out)
{
    dt_frame_head_t head;

    if (len == 0 || dt_link_promise(buf, len) != len) {
        return DT_EINVAL;
    }

    memcpy(&head, buf, sizeof(head));
    *out = head.frame;

    buf += sizeof(head);
    out->bytes.data = buf;
    buf += out->bytes.len;
    out->site.data = buf;
    buf += out->site.len;
    out->text.data = buf;
    buf += out->text.len;
    out->peer.data = buf;

    return DT_OK;
}
