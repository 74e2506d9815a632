
/*
 * Copyright (C) The detemplate authors
 *
 * The input as a file that is read from any place.
 */


#ifndef DT_FUZZ_INPUT_H_INCLUDED_
#define DT_FUZZ_INPUT_H_INCLUDED_


typedef struct {
    const uint8_t *data;
    size_t size;
} input_t;


static ssize_t
input_read(void *data, uint64_t offset, char *buf, size_t size)
{
    const input_t *in = data;
    size_t n = offset < in->size ? in->size - (size_t) offset : 0;

    n = n < size ? n : size;

    if (n) {
        memcpy(buf, in->data + offset, n);
    }

    return (ssize_t) n;
}


#endif /* DT_FUZZ_INPUT_H_INCLUDED_ */
