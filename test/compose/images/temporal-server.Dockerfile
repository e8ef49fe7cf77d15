FROM reelgate.local/debian
RUN useradd --uid 1000 temporal
COPY temporal-server /usr/local/bin/
COPY entrypoint.sh /etc/temporal/
WORKDIR /etc/temporal
USER temporal
CMD ["/etc/temporal/entrypoint.sh"]
