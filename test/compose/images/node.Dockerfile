FROM reelgate.local/bookworm
COPY ca-certificates.crt /etc/ssl/certs/
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
  && useradd --create-home --uid 1000 node \
  && install -d /usr/local/etc \
  && echo cafile=/etc/ssl/certs/ca-certificates.crt > /usr/local/etc/npmrc
