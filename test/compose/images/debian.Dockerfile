# The base of all stand-ins but that of Node: what their published images have in Alpine's BusyBox.
FROM reelgate.local/bookworm
COPY ca-certificates.crt /etc/ssl/certs/
RUN apt-get update \
  && apt-get install -y --no-install-recommends wget netcat-openbsd libcap2-bin postgresql-client \
  && rm -rf /var/lib/apt/lists/*
