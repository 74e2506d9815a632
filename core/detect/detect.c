
/*
 * Copyright (C) The detemplate authors
 */


#include "core/detect/detect.h"


extern const dt_detector_t dt_detector_etdm;
extern const dt_detector_t dt_detector_etdm_all;


const dt_detector_t *const dt_detectors[] = {
    &dt_detector_etdm,
    &dt_detector_etdm_all,
    NULL,
};


const dt_detector_t *
dt_detector_find(dt_str_t name)
{
    for (size_t i = 0; dt_detectors[i] != NULL; i++) {
        if (dt_str_eq(name, dt_cstr(dt_detectors[i]->name))) {
            return dt_detectors[i];
        }
    }

    return NULL;
}
