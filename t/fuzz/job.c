
/*
 * Copyright (C) The detemplate authors
 *
 * What comes by the pipes between nginx and its learner: a job, and an
 * answer.  What is taken is within all bounds, and says the same when it is
 * sent again.
 */


#include "fuzz.h"
#include "core/base/wire.h"


static void
job(const char *in, size_t size)
{
    char *out;
    size_t promise;
    dt_job_t j, again;
    const char *why = NULL;

    promise = dt_wire_promise(&dt_wire_job, in, size);
    fuzz_assert(promise == SIZE_MAX
                || promise <= DT_JOB_TEMPLATE
                                  + (9 + DT_JOB_VISITED) * DT_JOB_STRING);

    if (dt_wire_decode(&dt_wire_job, in, size, &j, &why) != DT_OK) {
        fuzz_assert(why != NULL);
        return;
    }

    fuzz_assert(j.candidates >= 1 && j.candidates <= DT_JOB_CANDIDATES);
    fuzz_assert(j.votes <= j.candidates);
    fuzz_assert(j.loads >= 1 && j.loads <= DT_JOB_LOADS);
    fuzz_assert(strlen(j.url.data) == j.url.len);
    fuzz_assert(dt_wire_size(&dt_wire_job, &j) == size);

    out = malloc(size);
    fuzz_assert(out != NULL);
    dt_wire_encode(&dt_wire_job, &j, out);
    fuzz_assert(dt_wire_decode(&dt_wire_job, out, size, &again, &why)
                == DT_OK);
    fuzz_assert(dt_str_eq(j.visited, again.visited));
    fuzz_assert(dt_str_eq(j.prev, again.prev));

    free(out);
}


static void
answer(const char *in, size_t size)
{
    dt_answer_t a;
    const char *why;

    if (dt_wire_decode(&dt_wire_answer, in, size, &a, &why) == DT_OK) {
        fuzz_assert(a.rc <= DT_EBUG);
        fuzz_assert(a.rc == DT_DECLINED
                    || (a.rc == DT_OK) == (a.bytes.len > 0));
        fuzz_assert(a.bytes.len <= DT_JOB_TEMPLATE);
        fuzz_assert(a.loads <= DT_JOB_LOADS);
        fuzz_assert(strlen(a.reason) < sizeof(a.reason));
        fuzz_assert(strlen(a.errstr) < sizeof(a.errstr));
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *in;

    in = malloc(size ? size : 1);
    fuzz_assert(in != NULL);
    memcpy(in, data, size);

    job(in, size);
    answer(in, size);
    free(in);

    return 0;
}
