#!/bin/sh
# Gives each volume to user 1000, as whom s3 and caddy run. Volumes of earlier versions belong to root.
set -eu

for folder in /volumes/*; do
  # Comes last, so it says that all of its contents have changed hands.
  [ "$(stat -c %u "$folder")" = 1000 ] && continue
  find "$folder" -mindepth 1 -exec chown -h 1000:1000 {} +
  chown 1000:1000 "$folder"
done
