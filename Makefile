# The commands of the project. `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
export CCACHE_SLOPPINESS := pch_defines,time_macros
export CCACHE_DIR ?= $(HOME)/.cache/flaim-ccache
# Paths relative to the checkout: another clone, and the build of the Python package, find what was compiled here.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
export CTEST_PARALLEL_LEVEL ?= $(JOBS)

.PHONY: help setup program build demo install mutants test asan tsan fuzz bench lint format clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:  ## install all that any command below needs (Debian packages; needs root or sudo)
	@scripts/setup all

program:  # the program alone, in build/program
	@scripts/setup demo
	@cmake --preset program >/dev/null
	@cmake --build --preset program -j $(JOBS) --target flaim

demo: program  ## install what the program needs, build it, run the main job on data made here, say where the results are
	@scripts/demo build/program/src/cli/flaim demo-results

build:  ## the program, its tests and benchmarks, optimised, in build/release
	@scripts/setup build
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS)

install: program  ## the program, its man pages and the C++ library into PREFIX (/usr/local), below DESTDIR
	@cmake --build --preset program -j $(JOBS) --target flaim_library flaim_pages
	@cmake --install build/program --prefix $(PREFIX) --component flaim

mutants: build  ## the mutants that the tests must catch
	@cmake --build --preset release -j $(JOBS) --target mutants

# Also the program as `make demo` builds it: many files at a time, where two may not call two things by one name.
test: mutants program  ## install, build and run every test
	@scripts/setup test
	@ctest --preset release

asan:  ## every test under the address and undefined-behaviour sanitizers
	@scripts/setup test
	@cmake --preset asan >/dev/null
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan

tsan:  ## every test under the thread sanitizer
	@scripts/setup test
	@cmake --preset tsan >/dev/null
	@cmake --build --preset tsan -j $(JOBS)
	@ctest --preset tsan

fuzz:  ## every fuzz target for FUZZ_SECONDS (60) each
	@scripts/setup lint
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz -j $(JOBS)
	@scripts/fuzz build/fuzz/fuzz $(or $(FUZZ_SECONDS),60)

bench: build  ## run the benchmarks and write docs/BENCHMARKS.md
	@scripts/setup bench
	@scripts/bench build/release docs/BENCHMARKS.md

lint:  ## formatting, Python and shell checks, clang-tidy; changes nothing
	@scripts/setup lint
	@scripts/lint

format:  ## put every C++ file into the house format
	@scripts/setup lint
	@git ls-files -co --exclude-standard '*.cc' '*.h' | xargs clang-format -i

clean:  ## remove what was built
	@rm -rf build demo-results bench-results
