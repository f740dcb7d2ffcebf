# The commands of the project. `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help

JOBS ?= $(shell nproc)
export CCACHE_SLOPPINESS := pch_defines,time_macros
export CCACHE_DIR ?= $(HOME)/.cache/flaim-ccache
# Paths relative to the checkout: another clone, and the build of the Python package, find what was compiled here.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
export CTEST_PARALLEL_LEVEL ?= $(JOBS)

.PHONY: help setup build demo test asan tsan fuzz bench lint format clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:  ## install what is missing (Debian packages; needs root or sudo)
	@scripts/setup

build: setup  ## the optimised programs, in build/release
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS)

demo: setup  ## install, build, run the main job on data it makes itself, say where the results are
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS) --target flaim
	@scripts/demo build/release/src/cli/flaim demo-results

test: build  ## install, build and run every test
	@ctest --preset release

asan: setup  ## every test under the address and undefined-behaviour sanitizers
	@cmake --preset asan >/dev/null
	@cmake --build --preset asan -j $(JOBS)
	@ctest --preset asan

tsan: setup  ## every test under the thread sanitizer
	@cmake --preset tsan >/dev/null
	@cmake --build --preset tsan -j $(JOBS)
	@ctest --preset tsan

fuzz: setup  ## every fuzz target for FUZZ_SECONDS (60) each
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz -j $(JOBS)
	@scripts/fuzz build/fuzz/fuzz $(or $(FUZZ_SECONDS),60)

bench: build  ## run the benchmarks and write docs/BENCHMARKS.md
	@scripts/bench build/release docs/BENCHMARKS.md

lint: setup  ## formatting, clang-tidy and shell checks; changes nothing
	@scripts/lint

format: setup  ## put every C++ file into the house format
	@git ls-files -co --exclude-standard '*.cc' '*.h' | xargs clang-format -i

clean:  ## remove what was built
	@rm -rf build demo-results bench-results
