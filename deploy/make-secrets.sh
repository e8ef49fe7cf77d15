#!/bin/sh
# Makes the missing files of secrets/, which docker-compose.yml hands to the containers: random ones for what the
# services share, empty ones for what is not used. Takes values from .env, where earlier versions had them.
set -eu

cd "$(dirname "$0")/.."
umask 077
mkdir -p secrets

# secret NAME VARIABLE: an existing value of .env, or a new one of 32 random bytes.
secret() {
  [ -e "secrets/$1" ] && return
  value=$(former "$2")
  [ -n "$value" ] || value=$(head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n')
  write "$1" "$value"
}

# optional NAME VARIABLE: an existing value of .env, or an empty file.
optional() {
  [ -e "secrets/$1" ] || write "$1" "$(former "$2")"
}

former() { if [ -f .env ]; then sed -n "s/^$1=//p" .env | tail -n 1; fi; }

# The containers run as different users: the folder keeps others out, not its files.
write() {
  printf '%s\n' "$2" > "secrets/.$1.new"
  chmod 444 "secrets/.$1.new"
  mv "secrets/.$1.new" "secrets/$1"
}

secret master_key MASTER_KEY
secret postgres_password POSTGRES_PASSWORD
secret reelgate_database_password REELGATE_DATABASE_PASSWORD
secret temporal_database_password TEMPORAL_DATABASE_PASSWORD
secret s3_access_key S3_ACCESS_KEY
secret s3_secret_key S3_SECRET_KEY
optional otlp_headers OTEL_EXPORTER_OTLP_HEADERS
optional stripe_webhook_secret STRIPE_WEBHOOK_SECRET
optional drm_speke_authorization DRM_SPEKE_AUTHORIZATION
optional drm_speke_password DRM_SPEKE_PASSWORD
optional drm_speke_aws_access_key DRM_SPEKE_AWS_ACCESS_KEY
optional drm_speke_aws_secret_key DRM_SPEKE_AWS_SECRET_KEY
optional drm_speke_aws_session_token DRM_SPEKE_AWS_SESSION_TOKEN
echo 'secrets/ is complete. Keep a copy of secrets/master_key elsewhere: without it no content key can be decrypted.'
