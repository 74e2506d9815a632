
/*
 * Copyright (C) The detemplate authors
 *
 * What comes by the pipes between nginx and its learner: a job, and an
 * answer.  What is taken is within all bounds, and says the same when it is
 * sent again.
 */


#include "fuzz.h"
#include "core/base/job.h"


static void
job(const uint8_t *data, size_t size)
{
    char *in, *out;
    dt_job_t j;
    dt_job_head_t head;
    const char *why = NULL;

    in = malloc(size ? size : 1);
    fuzz_assert(in != NULL);
    memcpy(in, data, size);

    if (size >= sizeof(head)) {
        memcpy(&head, data, sizeof(head));
        fuzz_assert(dt_job_promise(&head) <= DT_JOB_MAX);
    }

    if (dt_job_decode(in, size, &j, &why) != DT_OK) {
        fuzz_assert(why != NULL);
        free(in);
        return;
    }

    fuzz_assert(j.candidates >= 1 && j.candidates <= DT_JOB_CANDIDATES);
    fuzz_assert(j.votes >= 1 && j.votes <= j.candidates);
    fuzz_assert(j.loads >= 1 && j.loads <= DT_JOB_LOADS);
    fuzz_assert(dt_job_size(&j) == size);

    out = malloc(size);
    fuzz_assert(out != NULL);
    dt_job_encode(&j, out);
    fuzz_assert(memcmp(in, out, size) == 0);

    free(out);
    free(in);
}


static void
answer(const uint8_t *data, size_t size)
{
    dt_answer_t a;

    if (size < sizeof(a)) {
        return;
    }

    memcpy(&a, data, sizeof(a));

    if (dt_answer_check(&a) == DT_OK) {
        fuzz_assert(a.rc <= DT_EBUG);
        fuzz_assert(a.rc == DT_DECLINED || (a.rc == DT_OK) == (a.size > 0));
        fuzz_assert(a.size <= DT_JOB_TEMPLATE);
        fuzz_assert(a.loads <= DT_JOB_LOADS);
        fuzz_assert(strlen(a.reason) < sizeof(a.reason));
        fuzz_assert(strlen(a.errstr) < sizeof(a.errstr));
    }
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    job(data, size);
    answer(data, size);

    return 0;
}
