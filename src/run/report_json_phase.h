#ifndef TMK_RUN_REPORT_JSON_PHASE_H
#define TMK_RUN_REPORT_JSON_PHASE_H

#include <jansson.h>

#include "run/report_json.h"

/* One of "phases".  What cannot be written goes into json->bad; NULL where
 * memory is short. */
json_t *tmk_report_json_phase(struct tmk_report_json *json,
                              const struct tmk_result_row *row,
                              const struct tmk_phase_result *phase);

#endif
