FROM reelgate.local/debian
COPY native /usr/lib/postgresql/18
COPY postgres-entrypoint.sh /usr/local/bin/
RUN useradd --uid 999 postgres \
  && install -d -o postgres -g postgres /var/lib/postgresql \
  && install -d -o postgres -g postgres -m 3777 /var/run/postgresql
ENV PATH=/usr/lib/postgresql/18/bin:$PATH PGDATA=/var/lib/postgresql/18/docker
ENTRYPOINT ["postgres-entrypoint.sh"]
