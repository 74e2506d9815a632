
/*
 * Copyright (C) The detemplate authors
 *
 * The request path once more, in one piece: see engine.h.  What is not renamed
 * here would be there twice, and the linker would tell.
 */


#define DT_PORTABLE

#define dt_scan_complete portable_scan_complete
#define dt_scan_finish portable_scan_finish
#define dt_scan_follow portable_scan_follow
#define dt_scan_inert portable_scan_inert
#define dt_scan_init portable_scan_init
#define dt_scan_let_go portable_scan_let_go
#define dt_scan_long_tag portable_scan_long_tag
#define dt_scan_long_text portable_scan_long_text
#define dt_scan_more portable_scan_more
#define dt_scan_records portable_scan_records
#define dt_scan_run portable_scan_run
#define dt_scan_short portable_scan_short
#define dt_scan_cold portable_scan_cold
#define dt_scan_other portable_scan_other
#define dt_scan_run_comment portable_scan_run_comment
#define dt_scan_run_raw portable_scan_run_raw
#define dt_scan_end_tag portable_scan_end_tag
#define dt_scan_start_tag portable_scan_start_tag
#define dt_scan_close portable_scan_close
#define dt_scan_close_all portable_scan_close_all
#define dt_scan_close_above portable_scan_close_above
#define dt_scan_close_to portable_scan_close_to
#define dt_scan_close_for portable_scan_close_for
#define dt_scan_open portable_scan_open
#define dt_scan_lose portable_scan_lose
#define dt_soup_begin portable_soup_begin
#define dt_soup_end portable_soup_end
#define dt_soup_start portable_soup_start
#define dt_scan_nest_end portable_scan_nest_end
#define dt_nest_enter portable_nest_enter
#define dt_nest_find_end portable_nest_find_end
#define dt_nest_is_foreign portable_nest_is_foreign
#define dt_nest_is_read portable_nest_is_read
#define dt_nest_is_shadow portable_nest_is_shadow
#define dt_scan_run_cdata portable_scan_run_cdata
#define dt_scan_nest_start portable_scan_nest_start
#define dt_scan_scoped portable_scan_scoped
#define dt_scan_unsound portable_scan_unsound
#define dt_scan_record portable_scan_record
#define dt_scan_text portable_scan_text
#define dt_scan_text_opens portable_scan_text_opens
#define dt_scan_decided portable_scan_decided
#define dt_scan_kill portable_scan_kill
#define dt_scan_limit portable_scan_limit
#define dt_scan_region portable_scan_region
#define dt_scan_settle portable_scan_settle
#define dt_scan_step portable_scan_step
#define dt_scan_taken portable_scan_taken
#define dt_memo_prefetch portable_memo_prefetch
#define dt_memo_find portable_memo_find
#define dt_memo_more portable_memo_more
#define dt_memo_add portable_memo_add
#define dt_memo_pieces portable_memo_pieces
#define dt_memo_page portable_memo_page
#define dt_memo_clear portable_memo_clear
#define dt_memo_stops portable_memo_stops
#define dt_memo_size portable_memo_size
#define dt_memo_init portable_memo_init
#define dt_rewrite_out portable_rewrite_out
#define dt_rewrite_keep portable_rewrite_keep
#define dt_rewrite_mark portable_rewrite_mark
#define dt_rewrite_apply portable_rewrite_apply
#define dt_rewrite_carry portable_rewrite_carry
#define dt_rewrite_head portable_rewrite_head
#define dt_rewrite_hold portable_rewrite_hold
#define dt_rewrite_create portable_rewrite_create
#define dt_rewrite_destroy portable_rewrite_destroy
#define dt_rewrite_feed portable_rewrite_feed
#define dt_rewrite_release portable_rewrite_release
#define dt_rewrite_room portable_rewrite_room
#define dt_rewrite_stats portable_rewrite_stats
#define dt_force_open portable_force_open
#define dt_force_leaf portable_force_leaf
#define dt_force_page portable_force_page
#define dt_force_nest portable_force_nest
#define dt_force_end portable_force_end
#define dt_force_close portable_force_close
#define dt_force_closed portable_force_closed
#define dt_hand_add portable_hand_add
#define dt_hand_init portable_hand_init
#define dt_hand_match portable_hand_match
#define dt_look_add portable_look_add
#define dt_look_value portable_look_value
#define dt_region_taken portable_region_taken
#define dt_rewrite_regions portable_rewrite_regions
#define dt_scan_follow portable_scan_follow
#define dt_scan_step portable_scan_step
#define dt_line_goes portable_line_goes
#define dt_line_bare portable_line_bare
#define dt_line_head portable_line_head
#define dt_line_introduces portable_line_introduces
#define dt_line_heading portable_line_heading
#define dt_line_label portable_line_label
#define dt_line_keep portable_line_keep
#define dt_line_stays portable_line_stays
#define dt_line_limit portable_line_limit
#define dt_region_decided portable_region_decided
#define dt_region_stay portable_region_stay
#define dt_region_limit portable_region_limit
#define dt_scan_more_known portable_scan_more_known
#define dt_soup_begin portable_soup_begin
#define dt_soup_end portable_soup_end
#define dt_soup_start portable_soup_start
#define dt_shape_behind portable_shape_behind
#define dt_shape_close portable_shape_close
#define dt_shape_kill portable_shape_kill
#define dt_shape_kind portable_shape_kind
#define dt_shape_open portable_shape_open
#define dt_shape_text portable_shape_text
#define dt_shape_words portable_shape_words
#define dt_token_closed portable_token_closed
#define dt_token_look portable_token_look
#define dt_token_next portable_token_next
#define dt_token_any portable_token_any
#define dt_token_read portable_token_read
#define dt_token_skip portable_token_skip
#define dt_token_step portable_token_step
#define dt_token_attrs_sum portable_token_attrs_sum
#define dt_address_base portable_address_base
#define dt_address_init portable_address_init
#define dt_address_link portable_address_link
#define dt_chars portable_chars
#define dt_name_fold portable_name_fold
#define dt_name_masks portable_name_masks
#define dt_tag_named portable_tag_named
#define dt_tag_unknown portable_tag_unknown
#define dt_tag_shadow portable_tag_shadow
#define dt_tags portable_tags

#include "core/scan/scan.c"
#include "core/scan/records.c"
#include "core/scan/cold.c"
#include "core/scan/raw.c"
#include "core/scan/element.c"
#include "core/scan/tree.c"
#include "core/scan/open.c"
#include "core/scan/implied.c"
#include "core/scan/nest.c"
#include "core/scan/soup.c"
#include "core/scan/text.c"
#include "core/scan/line.c"
#include "core/scan/long.c"
#include "core/scan/region.c"
#include "core/scan/shape.c"
#include "core/scan/force.c"
#include "core/scan/hand.c"
#include "core/scan/look.c"
#include "core/scan/memo.c"
#include "core/scan/memo_add.c"
#include "core/scan/rewrite.c"
#include "core/scan/cut.c"
#include "core/scan/hold.c"
#include "core/scan/token.c"
#include "core/scan/address.c"
#include "core/scan/chars.c"
#include "core/base/tags.c"

#include "engine.h"


const engine_t engine_portable = ENGINE;
