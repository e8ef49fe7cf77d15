# One image for every process of ours: api, player, dashboard, worker and the set-up step differ in command only.

# The version of package.json. A digest may be appended: --build-arg NODE_IMAGE=node:…@sha256:… (docs/operating/install.md).
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY deploy/prune-packages.sh deploy/
RUN sh deploy/prune-packages.sh

FROM ${NODE_IMAGE}
COPY deploy/install-ffmpeg.sh /tmp/
RUN sh /tmp/install-ffmpeg.sh && rm /tmp/install-ffmpeg.sh \
  && install -d -o node -g node /var/lib/reelgate
WORKDIR /app
ENV NODE_ENV=production NODE_OPTIONS=--no-warnings REELGATE_DATA_DIR=/var/lib/reelgate
COPY --from=packages /app/node_modules node_modules
COPY . .
RUN node scripts/write-prebuilt.ts && rm -rf /root/.cache && ln -s /app/deploy/reelgate /usr/local/bin/reelgate
USER node
CMD ["node", "worker.ts"]
