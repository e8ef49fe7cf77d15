FROM reelgate.local/debian
RUN useradd --uid 1000 temporal
COPY temporal-sql-tool /usr/local/bin/
COPY schema /etc/temporal/schema
USER temporal
