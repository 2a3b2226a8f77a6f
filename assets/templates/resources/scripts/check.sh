#!/bin/sh
# Checks what the skill has done.
set -eu
