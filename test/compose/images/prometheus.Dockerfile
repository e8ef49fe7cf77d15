FROM reelgate.local/debian
COPY prometheus /usr/bin/
USER 1000:1000
CMD ["prometheus", "--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/tmp/prometheus"]
