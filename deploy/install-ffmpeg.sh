#!/bin/sh
# Installs ffmpeg into the image, without what Debian installs beside it for screens and graphics cards.
set -eu

apt-get update
apt-get install -y --no-install-recommends ffmpeg ca-certificates
rm -rf /var/lib/apt/lists/* /var/log/* /usr/share/doc /usr/share/icons
# Drivers of OpenGL, with their compiler: loaded by programs that draw, which ffmpeg does not.
rm -rf /usr/lib/*/dri /usr/lib/*/libLLVM* /usr/lib/*/libgallium* /usr/lib/*/vdpau

ffmpeg -hide_banner -encoders | grep -q libx264
if ldd "$(command -v ffmpeg)" "$(command -v ffprobe)" | grep 'not found'; then exit 1; fi
