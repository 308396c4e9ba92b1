# treemark.  `make help` lists the targets and the variables.
#
#   build/obj/<layer>/*.o   one object per source; the folder is the layer
#   build/lib               libtreemark.a, all layers but cmd;
#                           libtreemark-pure.a, the part that needs no MPI
#   build/embed             libtreemark.a for other programs: one object, in
#                           which nothing is visible but its interface
#   build/bin               treemark, and its other names as links
#   build/tests             the test programs
#
# CPPFLAGS, CFLAGS, LDFLAGS and LDLIBS belong to the user: they come after ours
# and are never assigned here.

.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all
SHELL := /bin/bash

# ---- what the user may choose -------------------------------------------

ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin AR),default)
AR := ar
endif
OBJCOPY ?= objcopy
PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
INCLUDEDIR ?= $(PREFIX)/include
LIBDIR  ?= $(PREFIX)/lib
STATIC  ?= 1
SAN     ?=
V       ?= 0
WERROR  ?= $(if $(filter check% lint tidy,$(MAKECMDGOALS)),1,0)

# Debian's mpicc and mpiexec change hands when a second MPI is installed; the
# names with a suffix do not.  Elsewhere there is only mpicc.
MPICC   ?= $(or $(shell command -v mpicc.mpich >/dev/null 2>&1 && \
             echo mpicc.mpich),$(shell command -v mpicc >/dev/null 2>&1 && \
             echo mpicc),mpicc.mpich)
MPICC   := $(MPICC)
MPIEXEC ?= $(patsubst %$(notdir $(MPICC)),%$(patsubst \
             mpicc%,mpiexec%,$(notdir $(MPICC))),$(MPICC))$(if \
             $(MPI_OPEN), --oversubscribe --bind-to none)

# ---- where things go ----------------------------------------------------

comma := ,
empty :=
space := $(empty) $(empty)

# These goals build nothing: for them no compiler is asked anything.
IDLE := clean help deps deps-all format uninstall
BUILDING := $(if $(filter-out $(IDLE),$(or $(MAKECMDGOALS),all)),1)

ifneq ($(BUILDING),)
# "gcc -I... -L... -lmpich" from both MPICH and Open MPI.
MPI_SHOW := $(shell $(MPICC) -show 2>/dev/null)
MPI_WORDS := $(wordlist 2,$(words $(MPI_SHOW)),$(MPI_SHOW))
MPI_CFLAGS := $(patsubst -I%,-isystem %,$(filter -I% -D% -pthread,$(MPI_WORDS)))
MPI_LIBS := $(filter-out -I% -D%,$(MPI_WORDS))
MPI_OPEN := $(findstring openmpi,$(MPICC) $(MPI_SHOW))
endif

# One directory for each kind of build, all below build/.
BUILD ?= build$(if $(MPI_OPEN),/openmpi)$(if \
  $(SAN),/san-$(subst $(comma),-,$(SAN)))
OBJ := $(BUILD)/obj
LIB := $(BUILD)/lib/libtreemark.a
PURE := $(BUILD)/lib/libtreemark-pure.a
EMBED_LIB := $(BUILD)/embed/libtreemark.a
EMBED_PC := $(BUILD)/embed/treemark.pc
HEADERS := $(sort $(wildcard include/treemark/*.h))
BINS := $(if $(wildcard src/cmd/main.c),$(BUILD)/bin/treemark)
LINKS := $(if $(BINS),$(addprefix $(BUILD)/bin/,mdtest pfind ior md-workbench io500))

# ---- sources ------------------------------------------------------------

srcs = $(sort $(wildcard src/$(1)/*.c))
objs = $(patsubst src/%.c,$(OBJ)/%.o,$(1))

PLAN_SRCS := $(sort $(wildcard $(addprefix src/bench/*_,plan.c conf.c check.c \
	made.c status.c data.c dirs.c ior.c offsets.c tasks.c \
	directives.c gone.c script.c hash.c score.c args.c verify.c options.c \
	rules.c left.c judge.c tables.c axes.c curves.c page.c scaling.c)) $(filter-out %_json.c,$(wildcard src/bench/import_*.c)) \
	$(wildcard src/bench/explain_*.c) $(wildcard src/bench/result_*.c))
MPI_ENGINES := $(wildcard src/engine/mpiio.c)
PURE_SRCS := $(call srcs,base) $(PLAN_SRCS) \
             $(filter-out $(MPI_ENGINES),$(call srcs,engine))
MPI_SRCS := $(call srcs,run) $(MPI_ENGINES) $(call srcs,embed) \
            $(filter-out $(PLAN_SRCS),$(call srcs,bench))
CMD_SRCS := $(call srcs,cmd)
UNIT_SRCS := $(sort $(wildcard tests/unit/test_*.c))
MPI_TEST_SRCS := $(sort $(wildcard tests/mpi/test_*.c))
BENCH_SRCS := $(sort $(wildcard tests/bench/*.c))
# A file system for benchmarks, where there is a library for it.
ifeq ($(shell pkg-config --exists fuse3 2>/dev/null && echo 1),)
BENCH_SRCS := $(filter-out %/slowfs.c,$(BENCH_SRCS))
endif
FUSE_CFLAGS = $(patsubst -I%,-isystem %,$(shell \
    pkg-config --cflags fuse3 2>/dev/null))
FUSE_LIBS = $(shell pkg-config --libs fuse3 2>/dev/null)
FUZZ_SRCS := $(sort $(wildcard tests/fuzz/*.c))

UNIT_TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(UNIT_SRCS))
MPI_TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(MPI_TEST_SRCS))
BENCHES := $(patsubst tests/%.c,$(BUILD)/tests/%,$(BENCH_SRCS))
FUZZERS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(FUZZ_SRCS))
ALL_OBJS := $(call objs,$(PURE_SRCS) $(MPI_SRCS) $(CMD_SRCS))

FORMATTED = $(sort $(wildcard src/*/*.[ch] include/*/*.h tests/*/*.[ch]))

# ---- flags --------------------------------------------------------------

TMK_CPPFLAGS := -D_GNU_SOURCE -Isrc -Iinclude
TMK_CFLAGS := -std=c11 -O2 -g -Wall -Wextra -Wshadow -Wstrict-prototypes \
              -Wmissing-prototypes -Wconversion -Wvla
TMK_LDFLAGS := -Wl,--as-needed
ifneq ($(SAN),)
TMK_CFLAGS += -fsanitize=$(SAN) -fno-sanitize-recover=all \
              -fno-omit-frame-pointer
TMK_LDFLAGS += -fsanitize=$(SAN)
endif
TMK_WERROR := $(if $(filter 1,$(WERROR)),-Werror)

ifneq ($(BUILDING),)
# Compute nodes rarely have our libraries: link the archive where there is one.
# $(1): pkg-config's name, $(2): the library's
pc = $(shell pkg-config --variable=$(2) $(1) 2>/dev/null)
archive = $(if $(filter 1,$(STATIC)),$(if $(filter /%,$(shell \
            $(CC) -print-file-name=lib$(2).a)),-l:lib$(2).a,$(wildcard \
            $(call pc,$(1),libdir)/lib$(2).a)))
lib = $(or $(call archive,$(1),$(2)),$(or $(shell \
        pkg-config --libs $(1) 2>/dev/null),-l$(2)))
incdir = $(patsubst %,-isystem %,$(filter-out /usr/include,$(call \
           pc,$(1),includedir)))

TMK_CPPFLAGS += $(call incdir,uuid) $(call incdir,jansson)
# io_uring is used where its library is (URING=0: not even there).
ifneq ($(URING),0)
TMK_URING := $(shell pkg-config --exists liburing 2>/dev/null && echo 1)
endif
ifneq ($(TMK_URING),)
TMK_CPPFLAGS += -DTMK_WITH_URING $(call incdir,liburing)
URING_LIBS = $(call lib,liburing,uring)
endif
# -lrt: timers, in a glibc before 2.34
TMK_LDLIBS := $(call lib,uuid,uuid) $(call lib,jansson,jansson) \
              $(URING_LIBS) -lm -lrt
CMOCKA := $(call incdir,cmocka)
CMOCKA_LIBS := $(or $(shell pkg-config --libs cmocka 2>/dev/null),-lcmocka)

VERSION := $(file <.version)
VERSION_GIT := $(if $(wildcard .git),$(shell \
  git -c safe.directory='*' describe --tags --always --dirty 2>/dev/null))

# Files that change only when what they stand for changes.
stamp = $(if $(and $(findstring x$(strip $(2))x,x$(strip $(file <$(1)))x),$(findstring \
  x$(strip $(file <$(1)))x,x$(strip $(2))x)),,$(shell mkdir -p $(dir $(1)))$(file >$(1),$(strip $(2))))
$(call stamp,$(BUILD)/flags,$(CC) $(TMK_CPPFLAGS) $(CPPFLAGS) $(TMK_CFLAGS) \
  $(CFLAGS) | $(MPI_CFLAGS) | $(TMK_LDFLAGS) $(LDFLAGS) $(MPI_LIBS) \
  $(TMK_LDLIBS) $(LDLIBS))
$(call stamp,$(BUILD)/sources,$(PURE_SRCS) $(MPI_SRCS) $(CMD_SRCS))
$(call stamp,$(BUILD)/version,$(VERSION) $(VERSION_GIT))
$(call stamp,$(BUILD)/embed/prefix,$(PREFIX) $(INCLUDEDIR) $(LIBDIR))
endif

ifeq ($(V),1)
Q :=
SAY := @:
else
Q := @
SAY := @printf '  %-7s %s\n'
endif

# ---- building -----------------------------------------------------------

.PHONY: all programs
all: $(ALL_OBJS) $(LIB) $(PURE) $(BINS) $(LINKS) $(EMBED_LIB) $(EMBED_PC)
programs: all $(UNIT_TESTS) $(MPI_TESTS) $(BENCHES)

# $(1): flags, $(2): why the flags are there.  A build without -Werror keeps
# what the compiler had to say, so that a build with it tries that file again.
define compile
$(SAY) CC $<
@mkdir -p $(@D)
$(Q)if $(CC) $(TMK_CPPFLAGS) $(OWN_CPPFLAGS) $(CPPFLAGS) $(TMK_CFLAGS) \
    $(TMK_WERROR) $(CFLAGS) -MMD -MP -MT $@ -MF $(@:.o=.d) -c -o $@ $< \
    2>$@.said; \
then \
    cat $@.said >&2; [ -s $@.said ] || rm -f $@.said; \
else \
    cat $@.said >&2; rm -f $@ $@.said; exit 1; \
fi
endef

# base, engine, the plans and what they plan from are compiled where <mpi.h> cannot be found.
$(call objs,$(MPI_SRCS) $(CMD_SRCS)): OWN_CPPFLAGS = $(MPI_CFLAGS)
$(OBJ)/bench/version.o: OWN_CPPFLAGS = -DTMK_VERSION='"$(VERSION)"' \
                                     -DTMK_VERSION_GIT='"$(VERSION_GIT)"'
$(OBJ)/bench/version.o: $(BUILD)/version

$(OBJ)/%.o: src/%.c Makefile $(BUILD)/flags
	$(compile)

define archive_of
$(SAY) AR $@
@mkdir -p $(@D)
@rm -f $@
$(Q)$(AR) rcs $@ $(filter %.o,$^)
endef

$(LIB): $(call objs,$(PURE_SRCS) $(MPI_SRCS)) $(BUILD)/sources
	$(archive_of)

$(PURE): $(call objs,$(PURE_SRCS)) $(BUILD)/sources
	$(archive_of)

# The library for other programs: all that its interface needs in one object,
# archives of other libraries with it, so that no name of theirs meets another
# of the program's.  What there is no archive of, the program links.
EMBED_WITH = $(filter -l:%.a %.a,$(TMK_LDLIBS))
EMBED_LIBS = $(filter-out $(EMBED_WITH),$(TMK_LDLIBS))
EMBED_OBJS := $(call objs,$(call srcs,embed))

$(BUILD)/embed/treemark.o: $(EMBED_OBJS) $(LIB) src/embed/symbols \
    $(BUILD)/flags
	$(SAY) LD $@
	@mkdir -p $(@D)
	$(Q)$(CC) -r -nostdlib -o $@.all $(EMBED_OBJS) $(LIB) $(LDFLAGS) \
	    $(EMBED_WITH)
	$(Q)$(OBJCOPY) --keep-global-symbols=src/embed/symbols $@.all $@
	@rm -f $@.all

$(EMBED_LIB): $(BUILD)/embed/treemark.o
	$(archive_of)

$(EMBED_PC): Makefile .version $(BUILD)/flags $(BUILD)/embed/prefix
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$(PREFIX)' 'includedir=$(INCLUDEDIR)/treemark' \
	    'libdir=$(LIBDIR)' '' 'Name: treemark' \
	    'Description: mdtest, ior, pfind and md-workbench as functions' \
	    'Version: $(VERSION)' 'Cflags: -I$${includedir}' \
	    'Libs: -L$${libdir} -ltreemark $(strip $(EMBED_LIBS))' >$@

# $(1): libraries of this program beside those that every program gets
define link
$(SAY) LD $@
@mkdir -p $(@D)
$(Q)$(CC) $(TMK_CFLAGS) $(CFLAGS) $(TMK_LDFLAGS) $(LDFLAGS) -o $@ \
    $(filter %.o,$^) $(filter %.a,$^) $(1) $(TMK_LDLIBS) $(LDLIBS)
endef

$(BUILD)/bin/treemark: $(call objs,$(CMD_SRCS)) $(LIB) $(BUILD)/sources
	$(call link,$(MPI_LIBS))

$(LINKS): $(BUILD)/bin/treemark
	@ln -sfn treemark $@

# The test programs: unit tests are linked without MPI.
.SECONDARY:
$(BUILD)/tests/unit/%.o: OWN_CPPFLAGS = -Itests $(CMOCKA)
$(BUILD)/tests/mpi/%.o: OWN_CPPFLAGS = -Itests $(CMOCKA) $(MPI_CFLAGS)
$(BUILD)/tests/bench/%.o: OWN_CPPFLAGS = $(MPI_CFLAGS)
$(BUILD)/tests/fuzz/%.o: OWN_CPPFLAGS = -Itests $(MPI_CFLAGS)

$(BUILD)/tests/%.o: tests/%.c Makefile $(BUILD)/flags
	$(compile)

# Memory ends where this test says.
$(BUILD)/tests/unit/test_match_memory: \
    TMK_LDFLAGS += -Wl,--wrap=calloc,--wrap=realloc
$(UNIT_TESTS): %: %.o $(PURE)
	$(call link,$(CMOCKA_LIBS))

$(MPI_TESTS): %: %.o $(LIB)
	$(call link,$(CMOCKA_LIBS) $(MPI_LIBS))

$(filter-out %/slowfs,$(BENCHES)): %: %.o $(LIB)
	$(call link,$(MPI_LIBS))

$(BUILD)/tests/bench/slowfs.o: OWN_CPPFLAGS = $(FUSE_CFLAGS)
$(BUILD)/tests/bench/slowfs: %: %.o
	$(call link,$(FUSE_LIBS))

# libFuzzer brings main(); nothing here starts MPI.
$(FUZZERS): %: %.o $(LIB)
	$(call link,-fsanitize=fuzzer $(MPI_LIBS))

ifneq ($(TMK_WERROR),)
$(patsubst %.said,%,$(wildcard $(OBJ)/*/*.said $(BUILD)/tests/*/*.said)): FORCE
endif
.PHONY: FORCE
FORCE:

# The stamps are written while this file is read.
$(BUILD)/flags $(BUILD)/sources $(BUILD)/version $(BUILD)/embed/prefix: ;

-include $(ALL_OBJS:.o=.d) $(UNIT_TESTS:=.d) $(MPI_TESTS:=.d) \
         $(BENCHES:=.d) $(FUZZERS:=.d)

# ---- trying it ----------------------------------------------------------

.PHONY: deps deps-all demo bench bench-find bench-ior
deps:
	@CC='$(CC)' MPICC='$(MPICC)' MPIEXEC='$(MPIEXEC)' .ci/deps check

deps-all:
	@CC='$(CC)' MPICC='$(MPICC)' MPIEXEC='$(MPIEXEC)' .ci/deps all

DEMO_ARGS ?= -b 2 -z 3 -I 20 -i 2
DEMO_TREE = $(abspath $(BUILD))/demo-tree

demo: deps
	@$(MAKE) --no-print-directory $(JOBS) all
	@rm -rf $(DEMO_TREE)
	@mkdir -p $(DEMO_TREE)
	@status=0; \
	$(MPIEXEC) -n 4 $(BUILD)/bin/mdtest $(DEMO_ARGS) -d $(DEMO_TREE) \
	    </dev/null || status=$$?; \
	rm -rf $(DEMO_TREE); exit $$status

bench: all $(BENCHES)
	@BUILD='$(BUILD)' MPIEXEC='$(MPIEXEC)' TREEMARK_BIN=$(abspath \
	    $(BUILD))/bin bash tests/bench/run.sh </dev/null

# Makes trees of a million entries in memory and on the disk.
bench-find: all $(BENCHES)
	@BUILD='$(BUILD)' MPIEXEC='$(MPIEXEC)' TREEMARK_BIN=$(abspath \
	    $(BUILD))/bin bash tests/bench/run.sh find </dev/null

# Writes half a gigabyte to the disk, and to memory.
bench-ior: all $(BENCHES)
	@BUILD='$(BUILD)' MPIEXEC='$(MPIEXEC)' TREEMARK_BIN=$(abspath \
	    $(BUILD))/bin bash tests/bench/run.sh ior </dev/null

# ---- checking -----------------------------------------------------------
#
# tests/run.sh runs, counts and prints; every part ends with a line
# "N passed, N failed, N skipped", and so does the whole.

# What the tests and the recipes below see.
export SAN MPICC
RUN = BUILD='$(BUILD)' MPIEXEC='$(MPIEXEC)' MPI_CFLAGS='$(MPI_CFLAGS)' \
      CC='$(CC)' bash tests/run.sh
PARTS = +@WERROR=$(WERROR) MAKE='$(MAKE)' JOBS='$(JOBS)' bash tests/run.sh parts
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || \
         echo 1))

ifneq ($(MPI_OPEN),)
export OMPI_ALLOW_RUN_AS_ROOT := 1
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM := 1
endif

# MPICH 4.0.2 itself leaks what an unloaded library held: LeakSanitizer looks at
# the programs without MPI only.
NO_LEAKS = ASAN_OPTIONS=detect_leaks=0$(if $(ASAN_OPTIONS),:$(ASAN_OPTIONS))

.PHONY: check check-programs check-unit check-mpi check-e2e check-embed
check: deps
	$(PARTS) programs check-unit check-mpi check-e2e check-embed lint

# One kind of build, whatever the linters say.
check-programs:
	$(PARTS) programs check-unit check-mpi check-e2e check-embed

check-unit: $(UNIT_TESTS)
	@$(RUN) unit $^

check-mpi: $(MPI_TESTS)
	@$(NO_LEAKS) $(RUN) mpi $^

# What takes long and seldom breaks is a part of check-all alone: once, or, as
# far as it is quick enough there, under sanitizers as well.
E2E_SLOW := $(addprefix tests/e2e/,caches.sh combinations.sh defects.sh \
            fault-sweep.sh find-pfind.sh find-trees.sh io500-broken.sh \
            io500-ends.sh ior-full.sh ior-output.sh progress.sh \
            scale-long.sh snippets.sh stonewall.sh stop-sweep.sh)
E2E_MORE := $(addprefix tests/e2e/,bad-input.sh build.sh clean.sh \
            collectives.sh find-results.sh flood.sh interrupt.sh ior-bad.sh \
            ior-cache.sh ior-files.sh ior-order.sh ior-script.sh \
            ior-stonewall.sh layout.sh lifecycle.sh mdworkbench.sh \
            rank-output.sh verify.sh)
E2E_LONG := $(E2E_SLOW) $(E2E_MORE)
# Of those that check has, some for each command: what another compiler can
# break shows in the unit and MPI tests.
E2E_SOME := $(addprefix tests/e2e/,explain.sh find.sh find-fuzz.sh import.sh \
            io500.sh ior-data.sh ior-run.sh model.sh options.sh rotation.sh \
            text.sh vectors.sh)
E2E ?= $(filter-out $(E2E_LONG),$(sort $(wildcard tests/e2e/*.sh)))
check-e2e: programs
	@$(NO_LEAKS) $(RUN) e2e $(E2E)

EMBED := $(sort $(wildcard tests/embed/*.sh))
check-embed: all
	@$(if $(EMBED),$(NO_LEAKS) $(RUN) e2e $(EMBED),echo \
	    'nothing in tests/embed yet')

# memcheck.sh is a part of check-valgrind.
LINTS ?= $(filter-out %/memcheck.sh,$(sort $(wildcard tests/lint/*.sh)))
.PHONY: lint tidy format
lint: all
	@LIMIT_S=300 $(RUN) lint $(LINTS)

TIDY_SRCS = $(sort $(wildcard src/*/*.c)) $(UNIT_SRCS) $(MPI_TEST_SRCS) \
            $(BENCH_SRCS) $(FUZZ_SRCS)
TIDY = clang-tidy --quiet {} -- -std=c11 $(TMK_CPPFLAGS) $(MPI_CFLAGS) \
       $(FUSE_CFLAGS) \
       $(CMOCKA) -Itests -DTMK_VERSION='""' -DTMK_VERSION_GIT='""'
tidy:
	@printf '%s\n' $(TIDY_SRCS) | xargs -P $$(nproc) -I {} $(TIDY) \
	    2>&1 | grep -Ev '^[0-9]+ warnings? generated\.$$' >&2; \
	set -- $${PIPESTATUS[@]}; exit $$2

format:
	clang-format -i $(FORMATTED)

# Everything: `check`, unless CHECKED=1 says that it has just been run, and the
# parts that take long.
.PHONY: check-all check-clang check-san check-cppcheck check-valgrind
.PHONY: check-openmpi check-fuzz check-faults check-fs check-long
check-all: deps-all
	$(PARTS) $(if $(CHECKED),,check) check-clang check-san check-cppcheck \
	    tidy check-long check-valgrind check-openmpi check-fuzz fuzz-find \
	    check-fs

check-clang:
	@$(MAKE) --no-print-directory CC=clang BUILD=build/clang \
	    E2E='$(E2E_SOME)' check-programs

check-san:
	@LIMIT_S=300 $(MAKE) --no-print-directory SAN=address,undefined \
	    E2E='$(E2E) $(E2E_MORE)' check-programs

check-cppcheck:
	cppcheck --quiet --std=c11 --enable=warning,performance,portability \
	    --inline-suppr --error-exitcode=1 --suppress=missingIncludeSystem \
	    -D_GNU_SOURCE -DTMK_VERSION='""' -DTMK_VERSION_GIT='""' \
	    -Isrc -Iinclude src

VALGRIND = valgrind --quiet --error-exitcode=99 --leak-check=full \
           --errors-for-leak-kinds=definite --show-leak-kinds=definite \
           --suppressions=$(CURDIR)/tests/lint/memcheck.supp
check-valgrind: programs
	$(PARTS) memcheck-unit memcheck-mpi memcheck-run memcheck-embed

.PHONY: memcheck-unit memcheck-mpi memcheck-run memcheck-embed
memcheck-unit: $(UNIT_TESTS)
	@LIMIT_S=300 WRAP='$(VALGRIND)' $(RUN) unit $^
memcheck-mpi: $(MPI_TESTS)
	@FAULTS=4001 LIMIT_S=300 NP=2 WRAP='$(VALGRIND)' $(RUN) mpi $^
memcheck-run: all
	@LIMIT_S=300 WRAP='$(VALGRIND)' $(RUN) lint tests/lint/memcheck.sh

memcheck-embed: all
	@LIMIT_S=1200 HOST_LIMIT_S=600 WRAP='$(VALGRIND)' $(RUN) e2e \
	    $(wildcard tests/embed/link-*.sh)

check-openmpi:
	@if command -v mpicc.openmpi >/dev/null; then \
	    $(MAKE) --no-print-directory MPICC=mpicc.openmpi \
	        check-openmpi-parts; \
	else \
	    echo 'skipped: Open MPI is not here and could not be installed'; \
	    [ -z "$$TALLY" ] || echo 0 0 1 >>"$$TALLY"; \
	fi

check-long: programs
	@LIMIT_S=300 $(NO_LEAKS) $(RUN) e2e $(E2E_LONG)

# Each call of small runs fails, where check tries one in many.
check-faults: programs
	$(PARTS) faults-mpi faults-e2e

.PHONY: faults-mpi faults-e2e
faults-mpi: $(BUILD)/tests/mpi/test_faults
	@FAULTS='$(or $(FAULTS),each)' LIMIT_S=3600 $(NO_LEAKS) $(RUN) mpi $^
faults-e2e: all
	@FAULTS='$(or $(FAULTS),each)' LIMIT_S=7200 $(NO_LEAKS) $(RUN) e2e \
	    tests/e2e/fault-sweep.sh
	@STOPS=17 KILLS=10 LIMIT_S=3600 $(NO_LEAKS) $(RUN) e2e \
	    tests/e2e/stop-sweep.sh

# On file systems of other kinds, which root can make.
FS ?= $(filter-out %/gluster.sh,$(sort $(wildcard tests/fs/*.sh)))
check-fs: all
	@$(NO_LEAKS) $(RUN) e2e $(FS)

# On a distributed file system, whose servers are installed for it: only when
# asked for.
check-gluster: all
	@.ci/deps gluster
	@$(NO_LEAKS) LIMIT_S=1200 $(RUN) e2e tests/fs/gluster.sh

.PHONY: check-openmpi-parts
check-openmpi-parts:
	$(PARTS) programs check-unit check-mpi

# libFuzzer is a part of clang.  The inputs are the same each time.
FUZZ_RUNS ?= 1000000
HAS_FUZZER = echo 'int LLVMFuzzerTestOneInput(void);' \
             'int LLVMFuzzerTestOneInput(void) { return 0; }' | clang -x c - \
             -fsanitize=fuzzer,address,undefined -o build/fuzz/probe
.PHONY: fuzz fuzz-programs
fuzz:
	@$(MAKE) --no-print-directory $(JOBS) CC=clang BUILD=build/fuzz \
	    SAN=fuzzer-no-link,address,undefined fuzz-programs
	@bash tests/fuzz/run.sh build/fuzz/tests/fuzz $(FUZZ_RUNS)

fuzz-programs: $(FUZZERS)

# treemark find and GNU find on the same random trees; SEED= is that of the
# first tree.
.PHONY: fuzz-find
fuzz-find: CASES ?= 2000
fuzz-find: TREES ?= 40
fuzz-find: NPS ?= 1 2 3 8 a:2,b:2
fuzz-find: programs
	@$(NO_LEAKS) SEED='$(SEED)' CASES='$(CASES)' TREES='$(TREES)' \
	    NPS='$(NPS)' BUILD='$(BUILD)' MPIEXEC='$(MPIEXEC)' \
	    bash tests/fuzz/find.sh

check-fuzz:
	@mkdir -p build/fuzz; \
	if $(HAS_FUZZER) >/dev/null 2>&1; then \
	    $(MAKE) --no-print-directory FUZZ_RUNS=200000 fuzz; \
	else \
	    echo 'skipped: clang with libFuzzer is not here'; \
	    [ -z "$$TALLY" ] || echo 0 0 1 >>"$$TALLY"; \
	fi

# ---- installing ---------------------------------------------------------

# Other names that treemark answers to, and the manual page of each.
ALIASES := mdtest pfind ior IOR md-workbench io500
alias_page = treemark-$(patsubst pfind,find,$(patsubst IOR,ior,$(patsubst \
             md-workbench,mdworkbench,$(1)))).1
PAGES := $(sort $(notdir $(wildcard man/*.1)))
D_BIN = $(DESTDIR)$(BINDIR)
D_MAN = $(DESTDIR)$(MANDIR)/man1
D_INCLUDE = $(DESTDIR)$(INCLUDEDIR)/treemark
D_LIB = $(DESTDIR)$(LIBDIR)

# Ours are links to treemark; $(1): path, $(2): what it points to.
is_ours = [ "$$(readlink '$(1)')" = '$(2)' ]
may_take = if [ -e '$(1)' ] || [ -L '$(1)' ]; then $(call \
             is_ours,$(1),$(2)) || { echo \
             '$(1) is not ours; nothing was installed' >&2; exit 1; }; fi
drop = if $(call is_ours,$(1),$(2)); then rm -f '$(1)'; fi

define newline


endef

.PHONY: install install-links uninstall
install: $(BINS) $(EMBED_LIB) $(EMBED_PC)
	install -d '$(D_BIN)' '$(D_MAN)' '$(D_INCLUDE)' '$(D_LIB)/pkgconfig'
	install -m 644 $(HEADERS) '$(D_INCLUDE)'
	install -m 644 $(EMBED_LIB) '$(D_LIB)'
	install -m 644 $(EMBED_PC) '$(D_LIB)/pkgconfig'
	install -m 755 $(BINS) '$(D_BIN)'
	$(if $(PAGES),install -m 644 $(PAGES:%=man/%) '$(D_MAN)')

install-links:
	@$(foreach a,$(ALIASES),$(call may_take,$(D_BIN)/$(a),treemark); $(call \
	    may_take,$(D_MAN)/$(a).1,$(call alias_page,$(a)));)
	@$(MAKE) --no-print-directory install
	$(foreach a,$(ALIASES),ln -sfn treemark '$(D_BIN)/$(a)'$(newline)	)
	$(foreach a,$(ALIASES),$(if $(filter $(call alias_page,$(a)),$(PAGES)),ln \
	    -sfn $(call alias_page,$(a)) '$(D_MAN)/$(a).1')$(newline)	)

uninstall:
	@$(foreach a,$(ALIASES),$(call drop,$(D_BIN)/$(a),treemark); $(call \
	    drop,$(D_MAN)/$(a).1,$(call alias_page,$(a)));)
	rm -f '$(D_BIN)/treemark' $(PAGES:%='$(D_MAN)/%')
	rm -f $(HEADERS:include/treemark/%='$(D_INCLUDE)/%')
	rm -f '$(D_LIB)/libtreemark.a' '$(D_LIB)/pkgconfig/treemark.pc'
	if [ -d '$(D_INCLUDE)' ]; then \
	    rmdir --ignore-fail-on-non-empty '$(D_INCLUDE)'; fi

# What IO500's source looks for in its directory, DESTDIR, in place of IOR and
# pfind: headers, archives, and the libraries to link.
.PHONY: embed
embed: IOR_DIR = $(DESTDIR)/build/ior/src
embed: PFIND_DIR = $(DESTDIR)/build/pfind
embed: $(EMBED_LIB)
	@[ -n '$(DESTDIR)' ] || { echo 'make embed DESTDIR=DIR: the directory \
	of the IO500 source' >&2; exit 2; }
	install -d '$(IOR_DIR)' '$(PFIND_DIR)/src'
	install -m 644 $(filter-out %/pfind-options.h,$(HEADERS)) '$(IOR_DIR)'
	install -m 644 include/treemark/pfind-options.h '$(PFIND_DIR)/src'
	install -m 644 $(EMBED_LIB) '$(IOR_DIR)/libaiori.a'
	rm -f '$(PFIND_DIR)/pfind.a'
	$(AR) rc '$(PFIND_DIR)/pfind.a'
	printf 'LDFLAGS=%s\nCFLAGS=\n' '$(strip $(EMBED_LIBS))' \
	    >'$(IOR_DIR)/build.conf'

# ---- cleaning, help -----------------------------------------------------

.PHONY: clean help
clean:
	rm -rf build

help:
	@sed -n 's/^#? \{0,1\}//p' Makefile

#? Targets
#?   all            build/bin/treemark, build/bin/mdtest, build/bin/pfind,
#?                  build/lib/*.a
#?   demo           a short run on four ranks
#?   check          build with -Werror, all tests, lint
#?   check-unit     the tests that need no MPI
#?   check-mpi      the tests on 1, 2 and 4 ranks (NP="1 2 4")
#?   check-e2e      the tests of the programs (E2E=tests/e2e/one.sh)
#?   check-embed    the tests of the library
#?   check-all      check, then clang, sanitizers, cppcheck, clang-tidy,
#?                  valgrind, Open MPI, fuzzing, file systems
#?                  (CHECKED=1 leaves out check)
#?   check-faults   small runs in which each call fails (FAULTS=all: on each
#?                  rank, with each errno)
#?   check-long     tests of check-all that take long
#?   check-fs       ext4, XFS, btrfs and others, as root (FS=tests/fs/one.sh)
#?   check-gluster  a GlusterFS volume, whose packages it installs, as root
#?   fuzz           FUZZ_RUNS=1000000 command lines, half as many expressions
#?                  of find, a tenth as many status files and reports to
#?                  import, made up by libFuzzer, under sanitizers
#?   fuzz-find      CASES=2000 searches of TREES=40 random trees, on
#?                  NPS="1 2 3 8 a:2,b:2" ranks, as GNU find does them (SEED=)
#?   lint           the rules of the tree (LINTS=tests/lint/one.sh)
#?   tidy, format   clang-tidy, clang-format
#?   bench-find     find against the kernel's limit and others
#?   bench-ior      ior against a loop by hand and fio
#?   bench          what the program itself costs
#?   deps, deps-all install or name what check, check-all need
#?   install        treemark and its manual pages, the library
#?   embed          the library where IO500's source looks for it (DESTDIR=,
#?                  its directory)
#?   install-links  the same, and the old names
#?   uninstall, clean, help
#?
#? Variables
#?   CC, MPICC, MPIEXEC   gcc, mpicc.mpich, mpiexec.mpich
#?   SAN=address,undefined  a sanitizer build in a directory of its own
#?   STATIC=0       link uuid and jansson as shared libraries
#?   URING=0        without io_uring even where liburing is
#?   WERROR=1       warnings are errors (the default of check)
#?   PREFIX, BINDIR, MANDIR, INCLUDEDIR, LIBDIR, DESTDIR
#?   CPPFLAGS, CFLAGS, LDFLAGS, LDLIBS  come after ours
#?   V=1            show the commands
