FROM reelgate.local/debian
COPY caddy /usr/bin/
RUN setcap cap_net_bind_service=+ep /usr/bin/caddy && install -d /config/caddy /data/caddy
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
