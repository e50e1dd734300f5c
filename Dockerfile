# Builds the service; the second stage holds what it runs on and nothing else.
FROM node:20-bookworm-slim AS build
WORKDIR /srv/alidade
COPY package.json package-lock.json ./
COPY agent/package.json agent/
COPY console/package.json console/
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY schema schema
COPY resolvers resolvers
COPY src src
COPY build build
COPY console console
RUN npm run build --silent && npm run build:console --silent && npm prune --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
ENV NODE_ENV=production \
    ALIDADE_HOST=0.0.0.0 \
    ALIDADE_DATA_DIR=/var/lib/alidade
WORKDIR /srv/alidade
COPY --from=build /srv/alidade/package.json ./
COPY --from=build /srv/alidade/node_modules node_modules
COPY --from=build /srv/alidade/dist dist
COPY --from=build /srv/alidade/console/dist console/dist
# Operations that GraphQL clients may name instead of sending.
COPY schema/operations schema/operations
# The only folder that the service writes to; the rest of the file system may be read-only.
RUN install -d -o node -g node /var/lib/alidade
USER node
VOLUME /var/lib/alidade
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health/ready').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--min-semi-space-size=32", "--max-semi-space-size=64", "--heap-growing-percent=100", "dist/bin/main.js"]
