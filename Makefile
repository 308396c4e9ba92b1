# treemark.  `make help` lists the targets and the variables.
#
#   build/obj/<layer>/*.o   one object per source; the folder is the layer
#   build/lib               libtreemark.a, all layers but cmd;
#                           libtreemark-pure.a, the part that needs no MPI
#   build/bin               treemark, and its other names as links
#   build/tests             the test programs
#
# CPPFLAGS, CFLAGS, LDFLAGS and LDLIBS belong to the user: they come after ours
# and are never assigned here.

.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all

# ---- what the user may choose -------------------------------------------

ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin AR),default)
AR := ar
endif
PREFIX  ?= /usr/local
BINDIR  ?= $(PREFIX)/bin
MANDIR  ?= $(PREFIX)/share/man
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
             mpicc%,mpiexec%,$(notdir $(MPICC))),$(MPICC))

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
BINS := $(if $(wildcard src/cmd/main.c),$(BUILD)/bin/treemark)
LINKS := $(if $(BINS),$(BUILD)/bin/mdtest)

# ---- sources ------------------------------------------------------------

srcs = $(sort $(wildcard src/$(1)/*.c))
objs = $(patsubst src/%.c,$(OBJ)/%.o,$(1))

PLAN_SRCS := $(sort $(wildcard src/bench/*_plan.c))
MPI_ENGINES := $(wildcard src/engine/mpiio.c)
PURE_SRCS := $(call srcs,base) $(PLAN_SRCS) \
             $(filter-out $(MPI_ENGINES),$(call srcs,engine))
MPI_SRCS := $(call srcs,run) $(MPI_ENGINES) $(call srcs,embed) \
            $(filter-out $(PLAN_SRCS),$(call srcs,bench))
CMD_SRCS := $(call srcs,cmd)
UNIT_SRCS := $(sort $(wildcard tests/unit/test_*.c))
MPI_TEST_SRCS := $(sort $(wildcard tests/mpi/test_*.c))

UNIT_TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(UNIT_SRCS))
MPI_TESTS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(MPI_TEST_SRCS))
ALL_OBJS := $(call objs,$(PURE_SRCS) $(MPI_SRCS) $(CMD_SRCS))

SCRIPTS = $(sort $(wildcard tests/*.sh tests/*/*.sh .ci/*))
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
TMK_LDLIBS := $(call lib,uuid,uuid) $(call lib,jansson,jansson) -lm
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
all: $(LIB) $(PURE) $(BINS) $(LINKS)
programs: all $(UNIT_TESTS) $(MPI_TESTS)

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

# base, engine and the plans are compiled where <mpi.h> cannot be found.
$(call objs,$(MPI_SRCS) $(CMD_SRCS)): OWN_CPPFLAGS = $(MPI_CFLAGS)
$(OBJ)/cmd/version.o: OWN_CPPFLAGS = -DTMK_VERSION='"$(VERSION)"' \
                                     -DTMK_VERSION_GIT='"$(VERSION_GIT)"'
$(OBJ)/cmd/version.o: $(BUILD)/version

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

$(BUILD)/tests/%.o: tests/%.c Makefile $(BUILD)/flags
	$(compile)

$(UNIT_TESTS): %: %.o $(PURE)
	$(call link,$(CMOCKA_LIBS))

$(MPI_TESTS): %: %.o $(LIB)
	$(call link,$(CMOCKA_LIBS) $(MPI_LIBS))

ifneq ($(TMK_WERROR),)
$(patsubst %.said,%,$(wildcard $(OBJ)/*/*.said $(BUILD)/tests/*/*.said)): FORCE
endif
.PHONY: FORCE
FORCE:

# The stamps are written while this file is read.
$(BUILD)/flags $(BUILD)/sources $(BUILD)/version: ;

-include $(ALL_OBJS:.o=.d) $(UNIT_TESTS:=.d) $(MPI_TESTS:=.d)

# ---- cleaning -----------------------------------------------------------

.PHONY: clean
clean:
	rm -rf build
