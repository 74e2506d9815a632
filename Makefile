# Copyright (C) The detemplate authors
#
# make              builds the module and the command line tool
# make test         runs the unit tests under ASan and UBSan, then t/*.t
# make lint         checks style, include borders and documentation
# make asan         runs t/*.t with nginx and the module under ASan and UBSan
# make valgrind     runs the unit tests under valgrind
# make fuzz         runs each fuzz target for FUZZ_TIME seconds
# make coverage     prints which share of core's lines the unit tests execute
# make nginx-tests  runs nginx's own tests, in TESTS=DIR, with the module on
# make debian13     runs make test in Debian 13; as root
# make check32      runs make test in a 32-bit Debian; as root
# make analyse      checks core and tools with gcc -fanalyzer, cppcheck and
#                   clang-tidy, and compiles all but the module for 32 bits
# make bench        runs the programs of bench/
# make soak         causes faults around a running nginx; MINUTES=5, as root
# make model        writes core/rules/model.c; needs python3-sklearn
# make apps         runs applications of Debian behind the module, and the
#                   recipes of doc/recipes.md; as root
# make browser-test opens preview and status in Chromium, on pages of CORPUS
# make man          builds the manual pages from README.md and doc/
# make install      installs module, program and manual pages; see
#                   doc/building.md for DESTDIR, MODULES and PREFIX
# make watch-test   tests the examples for Prometheus and Grafana
# make deb          builds Debian packages in build/deb
# make deb-test     installs them in a clean root and tests them; as root
# make image        puts them into an OCI image, build/image/detemplate.tar,
#                   and tests it; as root
# make demo         serves a site before and after; CHECK=1 checks and ends
# make format       formats core, tests and tools with clang-format 14
# make clean        removes build/
#
# NGINX_SRC=DIR     builds against this nginx source tree, not Debian's
# LEXBOR=DIR        says where lexbor is installed, for the benches

NGINX      = $(or $(NGINX_SRC),/usr/share/nginx/src)
MODULE     = ngx_http_detemplate_filter_module
BUILD      = build
MODULES    = /usr/lib/nginx/modules
PREFIX     = /usr/local
FUZZ_TIME  = 30
CORPUS     = ../shared/corpus/dev
JOBS      := $(or $(shell nproc 2>/dev/null),2)

CC        ?= cc
CLANG     ?= clang
WARN       = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wconversion -Werror
HARDEN     = -fstack-protector-strong -D_FORTIFY_SOURCE=2
CORE_FLAGS = -std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 $(WARN) -I. \
             -MMD -MP -g
CFLAGS     = -O2 $(HARDEN) -fPIE
LDFLAGS    = -pie -Wl,-z,relro -Wl,-z,now
LIBS       = -lgumbo -lcurl -lhiredis -lssl -lcrypto -lz -lbrotlidec -lm
SANITIZE   = -O1 -fsanitize=address,undefined -fno-sanitize-recover=all \
             -fno-omit-frame-pointer
ASAN_OPTS  = detect_odr_violation=0:detect_leaks=0:abort_on_error=1:$\
             allocator_may_return_null=1

core      := $(wildcard core/*/*.c)
serving   := $(wildcard core/base/*.c core/html/*.c core/template/*.c \
             core/scan/*.c core/text/*.c core/redis/url.c)
tools     := $(wildcard tools/*.c)
units     := $(patsubst t/core/%.c,%,$(wildcard t/core/test_*.c))
fuzzers   := $(patsubst t/fuzz/%.c,%,$(wildcard t/fuzz/*.c))
glue_fuzz := $(patsubst t/fuzz/nginx/%.c,%,$(wildcard t/fuzz/nginx/*.c))
glue      := $(wildcard ngx_module/*.c ngx_module/*/*.c)
headers   := $(wildcard core/*/*.h ngx_module/*.h ngx_module/*/*.h)

formatted := $(wildcard $(addsuffix /*.[ch],core/* tools bench \
             t/core t/fuzz t/fuzz/nginx))

tools_obj  = $(tools:%.c=$(BUILD)/obj/%.o)
speed_obj  = $(addprefix $(BUILD)/obj/bench/,speed.o speed_run.o)
simulate_obj = $(addprefix $(BUILD)/obj/bench/,simulate.o simulate_pages.o)
unit_bin   = $(units:%=$(BUILD)/t/%)
plain_bin  = $(units:%=$(BUILD)/plain/%)
cov_bin    = $(units:%=$(BUILD)/cov/bin/%)
bench_bin  = $(addprefix $(BUILD)/bench/,simulate speed)
fuzz_bin   = $(addprefix $(BUILD)/fuzz/bin/,$(fuzzers) $(glue_fuzz))
replay_bin = $(fuzzers:%=$(BUILD)/replay/%)

module_so  = $(BUILD)/$(MODULE).so
cli        = $(BUILD)/detemplate
asan_cli   = $(BUILD)/asan/objs/detemplate

LEXBOR    := $(patsubst %/include/lexbor/html/parser.h,%,$(firstword \
             $(wildcard /usr/include/lexbor/html/parser.h \
             /usr/local/include/lexbor/html/parser.h)))

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all module cli unit nginx-test test lint lint-style lint-format \
        lint-borders lint-docs coverage nginx-tests debian13 check32 analyse \
        compile32 compilebare asan valgrind fuzz bench soak model \
        apps demo format man deb deb-test image watch-test browser-test \
        install clean FORCE

all: module cli
module: $(module_so)
cli: $(cli)


# core and tool

# An archive is made anew when the list of its members changes.  To be compared
# with, there is the request path in portable code, whose functions have the
# same names.
$(BUILD)/%/libdt.a: $(BUILD)/core.list
	rm -f $@
	ar rcs $@ $(filter %.o,$^)

# on i386, functions of the compiler that other objects have too stay global
%/engine.o: %/t/core/portable.o
	objcopy -w --keep-global-symbol=engine_portable \
	    --keep-global-symbol='__x86.get_pc_thunk.*' $< $@

# one tree of objects: its folder, the compiler, flags; then a folder of
# programs, of their sources, flags of the linker, and those to compare
define VARIANT
$(BUILD)/$(1)/%.o: %.c Makefile
	@mkdir -p $$(@D)
	$(2) $$(CORE_FLAGS) $(3) -c -o $$@ $$<

$(BUILD)/$(1)/libdt.a: $(core:%.c=$(BUILD)/$(1)/%.o)

$(BUILD)/$(4)/%: $(BUILD)/$(1)/t/$(5)/%.o $(BUILD)/$(1)/libdt.a
	@mkdir -p $$(@D)
	$(2) $(6) -o $$@ $$^ $$(LIBS)

$(7:%=$(BUILD)/$(4)/%): $(BUILD)/$(1)/engine.o

endef

compared = test_portable test_hand

$(eval $(call VARIANT,obj,$(CC),$(CFLAGS),plain,core,$\
    $(CFLAGS) $(LDFLAGS),$(compared)))
$(eval $(call VARIANT,san,$(CC),$(SANITIZE),t,core,$(SANITIZE),$(compared)))
$(eval $(call VARIANT,cov,$(CC),-O0 --coverage,cov/bin,core,$\
    --coverage,$(compared)))
$(eval $(call VARIANT,fuzz,$(CLANG),$(SANITIZE) -fsanitize=fuzzer-no-link,$\
    fuzz/bin,fuzz,$(SANITIZE) -fsanitize=fuzzer,rewrite))
$(BUILD)/replay/rewrite: $(BUILD)/san/engine.o

$(cli): $(tools_obj) $(BUILD)/obj/libdt.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/bench/speed: $(speed_obj) $(BUILD)/obj/libdt.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(lexbor_libs)

ifneq ($(LEXBOR),)
lexbor_libs = -L$(LEXBOR)/lib -llexbor
$(BUILD)/obj/bench/speed_run.o: \
    CORE_FLAGS += -DBENCH_LEXBOR -isystem $(LEXBOR)/include
endif

# in which malloc() fails, and who asks an arena gets nothing
comma = ,
$(BUILD)/%/test_nomem: LIBS += $(addprefix -Wl$(comma)--wrap=,malloc calloc \
    realloc $(addprefix dt_,arena_alloc arena_calloc arena_strdup \
    index_init index_get))

# in which memory is counted
$(BUILD)/fuzz/bin/text $(BUILD)/replay/text $(BUILD)/bench/speed: LIBS += \
    -Wl,--wrap=malloc,--wrap=realloc,--wrap=free

# in which no name is resolved, and nobody waits
$(BUILD)/fuzz/bin/redis $(BUILD)/replay/redis: LIBS += \
    -Wl,--wrap=getaddrinfo,--wrap=poll

# in which jobs are looked at
$(BUILD)/%/request: LIBS += -Wl,--wrap=ngx_http_dt_keypage

# in which decisions can be switched off
$(BUILD)/bench/simulate: LIBS += $(addprefix -Wl$(comma)--wrap=dt_,\
    links_order digraph_add alike guard)
$(BUILD)/bench/simulate: $(simulate_obj) $(BUILD)/obj/libdt.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# the fuzz targets as tests, with the inputs of t/data/fuzz
$(BUILD)/replay/%: t/fuzz/%.c $(BUILD)/san/libdt.a Makefile
	@mkdir -p $(@D)
	$(CC) $(CORE_FLAGS) $(SANITIZE) -DFUZZ_REPLAY -o $@ \
	    $(filter %.c %.o %.a,$^) $(LIBS)

# these files change only when the list they hold does
$(BUILD)/core.list: list = $(core)
$(BUILD)/module.list: list = $(serving) $(glue) $(headers) $(NGINX_SRC)
$(BUILD)/core.list $(BUILD)/module.list: FORCE
	@mkdir -p $(@D)
	@echo '$(list)' | cmp -s - $@ || echo '$(list)' > $@

-include $(shell find $(addprefix $(BUILD)/,obj san cov fuzz/core fuzz/t \
                        replay) -name '*.d' 2>/dev/null)


# the module, in a copy of the nginx tree

$(BUILD)/nginx/objs/Makefile: config .ci/nginx.sh $(BUILD)/module.list
	@echo configuring nginx
	@.ci/nginx.sh module $(NGINX) $(BUILD)/nginx >$(BUILD)/configure.log \
	    2>&1 || { tail -20 $(BUILD)/configure.log; exit 1; }

$(module_so): $(BUILD)/nginx/objs/Makefile $(serving) $(glue) $(headers)
	+$(MAKE) -C $(BUILD)/nginx -f objs/Makefile modules
	cp $(BUILD)/nginx/objs/$(MODULE).so $@.new
	mv $@.new $@


# manual pages

man: $(BUILD)/man/detemplate.1

$(BUILD)/man/detemplate.1: $(cli) .ci/man.pl README.md CHANGES \
        conf-examples/minimal.conf $(addprefix doc/,$(addsuffix .md, \
        description directives response learning http operations tool))
	@mkdir -p $(@D)
	.ci/man.pl $(cli) $(@D)


# by hand; a file that nginx has mapped is replaced, not written into

install: all man
	@if [ -z "$(DESTDIR)" ] && dpkg -S $(MODULES)/$(MODULE).so \
	    >/dev/null 2>&1; then \
	    echo "a package has installed the module: remove it first"; exit 1; \
	fi
	install -d $(DESTDIR)$(MODULES) $(DESTDIR)$(PREFIX)/bin \
	    $(addprefix $(DESTDIR)$(PREFIX)/share/,man/man1 man/man5 \
	    bash-completion/completions zsh/site-functions)
	install -m 755 $(cli) $(DESTDIR)$(MODULES)
	install -m 644 $(module_so) $(DESTDIR)$(MODULES)
	ln -sf $(MODULES)/detemplate $(DESTDIR)$(PREFIX)/bin/detemplate
	install -m 644 $(BUILD)/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 $(BUILD)/man/*.5 $(DESTDIR)$(PREFIX)/share/man/man5
	install -m 644 tools/completion/bash/detemplate \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install -m 644 tools/completion/zsh/_detemplate \
	    $(DESTDIR)$(PREFIX)/share/zsh/site-functions


# Debian packages

deb: install-deb
	.ci/deb.sh $(BUILD)/deb

deb-test: install-debtest
	.ci/deb.sh $(BUILD)/deb lintian
	.ci/deb-test.sh $(BUILD)/deb $(abspath $(BUILD))/debtest
	.ci/systemd-test.sh $(BUILD)/deb $(abspath $(BUILD))/debtest

image: install-image deb
	.ci/image.sh $(BUILD)/deb $(BUILD)/image
	.ci/image.sh test $(BUILD)/image


# nginx and the module under ASan and UBSan

$(BUILD)/debian/fetched:
	@.ci/install.sh asan
	rm -rf $(@D)
	.ci/nginx.sh source $(@D)
	touch $@

$(BUILD)/asan/objs/Makefile: config .ci/nginx.sh $(BUILD)/module.list \
        $(if $(NGINX_SRC),,$(BUILD)/debian/fetched)
	.ci/nginx.sh asan $(or $(NGINX_SRC),$(BUILD)/debian/nginx-*/) \
	    $(BUILD)/asan >$(BUILD)/asan.log 2>&1 \
	    || { tail -20 $(BUILD)/asan.log; exit 1; }

$(BUILD)/asan/objs/$(MODULE).so: $(BUILD)/asan/objs/Makefile \
        $(serving) $(glue) $(headers)
	+$(MAKE) -C $(BUILD)/asan -f objs/Makefile

# beside the module, where it is looked for
$(asan_cli): $(tools:%.c=$(BUILD)/san/%.o) $(BUILD)/san/libdt.a \
        $(BUILD)/asan/objs/Makefile
	$(CC) $(SANITIZE) -o $@ $(filter %.o %.a,$^) $(LIBS)


# fuzz targets that are files of the module, with nginx's own objects

fuzz_nginx = $(BUILD)/fuzz/nginx
glue_obj   = $(glue_fuzz:%=$(BUILD)/fuzz/t/fuzz/nginx/%.o)

$(fuzz_nginx)/objs/Makefile: config .ci/nginx.sh $(BUILD)/module.list \
        $(if $(NGINX_SRC),,$(BUILD)/debian/fetched)
	.ci/nginx.sh fuzz $(or $(NGINX_SRC),$(BUILD)/debian/nginx-*/) \
	    $(abspath $(fuzz_nginx)) >$(BUILD)/fuzz.log 2>&1 \
	    || { tail -20 $(BUILD)/fuzz.log; exit 1; }

# each has a main() of its own; objects of one name may be there twice
$(BUILD)/fuzz/nginx.a: $(fuzz_nginx)/objs/Makefile \
        $(serving) $(glue) $(headers)
	+$(MAKE) -C $(fuzz_nginx) -f objs/Makefile
	rm -f $@
	objcopy --redefine-sym main=nginx_main \
	    $(fuzz_nginx)/objs/src/core/nginx.o $(BUILD)/fuzz/nginx_main.o
	ar qcs $@ $(BUILD)/fuzz/nginx_main.o \
	    `find $(fuzz_nginx)/objs -name '*.o' ! -name nginx.o`

nginx_flags = -Wno-conversion -Wno-unused-parameter \
    $(addprefix -isystem $(1)/,objs $(addprefix src/,core event \
    event/modules event/quic os/unix http http/modules http/v2 http/v3))

$(glue_obj): $(BUILD)/fuzz/nginx.a
$(glue_obj): CORE_FLAGS += $(call nginx_flags,$(fuzz_nginx))

$(glue_fuzz:%=$(BUILD)/fuzz/bin/%): $(BUILD)/fuzz/bin/%: \
        $(BUILD)/fuzz/t/fuzz/nginx/%.o $(BUILD)/fuzz/nginx.a \
        $(BUILD)/fuzz/libdt.a
	@mkdir -p $(@D)
	$(CLANG) $(SANITIZE) -fsanitize=fuzzer -o $@ $^ $(LIBS) -lcrypt


# checks

install-%:
	@.ci/install.sh $*

# with a stack as threads may have it: no depth of a page is one of calls
unit: $(unit_bin) $(replay_bin)
	.ci/sample.sh $(BUILD)/sample $(CORPUS)
	ulimit -S -s 256 && DT_SAMPLE=$(abspath $(BUILD)/sample) \
	    prove -j$(JOBS) $(unit_bin) $(replay_bin)

# compiled only, so that they keep up with the module
$(glue_fuzz:%=$(BUILD)/obj/t/fuzz/nginx/%.o): $(module_so)
$(glue_fuzz:%=$(BUILD)/obj/t/fuzz/nginx/%.o): \
    CORE_FLAGS += $(call nginx_flags,$(BUILD)/nginx)

# more at once than there are processors, for most of them mostly wait; those
# with the largest files begin, as they take longest
prove_all = prove -j$$(($(JOBS) + 2)) -It/lib $$(ls -S t/*.t)

nginx-test: all $(glue_fuzz:%=$(BUILD)/obj/t/fuzz/nginx/%.o)
	DETEMPLATE=$(abspath $(cli)) TEST_NGINX_MODULE=$(abspath $(module_so)) \
	    $(prove_all)

# as many jobs as there are processors, unless make was told how many
parallel = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))

# what is missing is installed before anything else begins, with -j as well
test: install-test
	+$(MAKE) $(parallel) unit nginx-test

coverage: install-build
	+$(MAKE) $(parallel) $(cov_bin)
	.ci/coverage.pl $(BUILD)/cov $(cov_bin)

# a copy of the suite is in TESTS
nginx-tests: install-nginxtests all
	.ci/nginx-tests.sh "$(TESTS)" $(abspath $(BUILD)) $(abspath $(module_so))

debian13: install-roots
	.ci/root.sh trixie amd64 $(abspath $(BUILD))/root/trixie-amd64

check32: install-roots
	.ci/root.sh bookworm i386 $(abspath $(BUILD))/root/bookworm-i386

# one of the above; it is skipped there when prometheus is not here
watch-test: install-watch all
	DETEMPLATE=$(abspath $(cli)) TEST_NGINX_MODULE=$(abspath $(module_so)) \
	    prove -It/lib t/watch.t

lint: install-lint
	+$(MAKE) lint-style lint-format lint-borders lint-docs

lint-style:
	.ci/style.pl

lint-format:
	@if clang-format --version 2>&1 | grep -q 'version 14\.'; then \
	    echo clang-format; clang-format --dry-run -Werror $(formatted); \
	else \
	    echo 'clang-format 14 is not here: format not checked'; \
	fi

lint-borders: $(cli) $(module_so)
	.ci/borders.sh . $(BUILD)/obj/core
	.ci/doors.py
	.ci/libraries.sh $(module_so)
	.ci/hardened.sh $(module_so) $(cli)

lint-docs: $(module_so) $(cli) man
	TEST_MAN=$(abspath $(BUILD)/man) \
	TEST_NGINX_MODULE=$(abspath $(module_so)) .ci/docs-check.pl

# each dynamic module has an ngx_module_names of its own; what nginx leaves to
# the end of its process is no leak; beyond a learner's limit of memory there
# is NULL, as elsewhere
asan: install-asan
	+$(MAKE) $(BUILD)/asan/objs/$(MODULE).so $(asan_cli)
	ASAN_OPTIONS=$(ASAN_OPTS) \
	DETEMPLATE=$(abspath $(asan_cli)) \
	TEST_NGINX_BINARY=$(abspath $(BUILD)/asan/objs/nginx) \
	TEST_NGINX_MODULE=$(abspath $(BUILD)/asan/objs/$(MODULE).so) \
	    $(prove_all)

# test_confine would confine valgrind itself
valgrind: install-valgrind
	+$(MAKE) $(plain_bin) all
	prove -e 'valgrind -q --leak-check=full --error-exitcode=9' \
	    $(filter-out %/test_confine,$(plain_bin))
	.ci/valgrind.sh $(BUILD) $(CORPUS)

fuzz: install-fuzz
	+$(MAKE) $(fuzz_bin) $(BUILD)/plain/test_soup
	@seed=`od -An -N3 -tu4 /dev/urandom | tr -d ' '`; \
	    echo "test_soup 1500 $$seed"; \
	    $(BUILD)/plain/test_soup 1500 $$seed >$(BUILD)/fuzz/soup.log \
	    || { tail -40 $(BUILD)/fuzz/soup.log; exit 1; }
	@for f in $(fuzzers) $(glue_fuzz); do \
	    mkdir -p $(BUILD)/fuzz/corpus/$$f; \
	    echo "fuzzing $$f"; \
	    $(BUILD)/fuzz/bin/$$f -max_total_time=$(FUZZ_TIME) -timeout=10 \
	        -dict=t/fuzz/html.dict -artifact_prefix=$(BUILD)/fuzz/ \
	        $(BUILD)/fuzz/corpus/$$f t/data/fuzz/$$f \
	        >$(BUILD)/fuzz/$$f.log 2>&1 \
	        || { tail -40 $(BUILD)/fuzz/$$f.log; exit 1; }; \
	done

analyse: install-analyse compile32 compilebare $(module_so)
	.ci/analyse.sh gcc clang-tidy $(call nginx_flags,$(BUILD)/nginx)

# whether anything takes a size for one of 64 bits; check32 runs it all
compile32: install-analyse
	@if echo '#include <stdlib.h>' \
	    | $(CC) -m32 -fsyntax-only -x c - 2>/dev/null; then \
	    echo compile32; \
	    for f in $(wildcard $(addsuffix /*.c,core/* tools bench t/core \
	             t/fuzz)); do \
	        $(CC) -m32 $(filter-out -MMD -MP,$(CORE_FLAGS)) -It/core \
	            -DDT_ABLATION \
	            -idirafter /usr/include/$$($(CC) -print-multiarch) \
	            -fsyntax-only $$f || exit 1; \
	    done; \
	else \
	    echo 'no headers for 32 bits here: not compiled'; \
	fi

# whether the module asks for what nginx may be built without
compilebare: $(BUILD)/nginx/objs/Makefile
	@echo compilebare
	@{ echo '#include <ngx_config.h>'; \
	    for d in COMPAT DEBUG THREADS PCRE SSL HAVE_FILE_AIO HAVE_INET6 \
	            HTTP_CACHE HTTP_GZIP HTTP_SSI HTTP_SSL HTTP_V2 \
	            HTTP_REALIP HTTP_X_FORWARDED_FOR; do \
	        echo "#undef NGX_$$d"; \
	    done; } >$(BUILD)/bare.h
	@for f in $(glue); do \
	    $(CC) $(addprefix -I$(BUILD)/nginx/,objs $(addprefix src/,core event \
	            event/modules os/unix http http/modules http/v2)) -I. \
	        -include $(BUILD)/bare.h -W -Wall -Wno-unused-parameter -Werror \
	        -fsyntax-only $$f || exit 1; \
	done

bench: install-bench
	+$(MAKE) all $(bench_bin)
	BUILD=$(abspath $(BUILD)) bench/speed
	TEST_NGINX_MODULE=$(abspath $(module_so)) bench/accuracy
	BUILD=$(abspath $(BUILD)) bench/detectors
	BUILD=$(abspath $(BUILD)) bench/markdown --keep $(BUILD)/markdown \
	    $(CORPUS)
	BUILD=$(abspath $(BUILD)) bench/converters $(BUILD)/markdown

# as root, for the disk that is full
soak: install-soak
	+$(MAKE) all
	TEST_NGINX_MODULE=$(abspath $(module_so)) \
	    bench/soak --minutes $(or $(MINUTES),5)

model: install-model
	+$(MAKE) $(BUILD)/bench/simulate
	BUILD=$(abspath $(BUILD)) /usr/bin/python3 bench/model $(CORPUS)

# all, or those of APPS="dokuwiki cgit"
apps: install-apps
	+$(MAKE) all
	DETEMPLATE=$(abspath $(cli)) TEST_NGINX_MODULE=$(abspath $(module_so)) \
	    t/apps/apps $(APPS)
	DETEMPLATE=$(abspath $(cli)) TEST_NGINX_MODULE=$(abspath $(module_so)) \
	    prove -It/lib t/recipes.t t/apps/static.t

# screenshots are left in build/browser; those of doc/ are two of them
browser-test: install-browser
	+$(MAKE) all
	CORPUS=$(abspath $(CORPUS)) TEST_NGINX_MODULE=$(abspath $(module_so)) \
	    /usr/bin/python3 t/browser/browser --out $(BUILD)/browser

demo: install-demo
	@echo building
	+@$(MAKE) -s $(parallel) all >/dev/null
	TEST_NGINX_MODULE=$(abspath $(module_so)) tools/demo $(if $(CHECK),--check)

format:
	clang-format -i $(formatted)

clean:
	rm -rf $(BUILD)
