# The backend alone. Node runs its TypeScript as it is, so there is nothing to build.
ARG NODE_VERSION=24.21.0

FROM node:${NODE_VERSION}-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY backend/package.json backend/
COPY contract/package.json contract/
COPY design/package.json design/
RUN npm ci --omit=dev --ignore-scripts -w backend

FROM node:${NODE_VERSION}-slim
WORKDIR /app
RUN install -d -o 1000 -g 1000 -m 0700 /data
COPY --from=dependencies /app/node_modules node_modules
# Readable by the user below, under whatever umask the sources were fetched.
COPY --chmod=755 package.json ./
COPY --chmod=755 contract contract
COPY --chmod=755 design design
COPY --chmod=755 backend backend

ENV NODE_ENV=production \
    TERSE_LISTEN=0.0.0.0:8787 \
    TERSE_SHORT_LISTEN=0.0.0.0:8788 \
    TERSE_DATABASE=file:/data/terse.db \
    TERSE_JOURNAL_DIR=/data/clicks

# The base image's unprivileged user, by number, so that a cluster can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8787 8788
# Not --start-interval, which Debian 12's Podman and Buildah do not know; compose.yaml has it.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "backend/src/healthcheck.ts"]
# Node itself is the first process: it handles the signals that stop it, and starts no other processes. The flags are
# those of `npm run backend`.
ENTRYPOINT ["node", "--max-semi-space-size=12", "--heap-growing-percent=20", "backend/src/main.ts"]
CMD ["serve"]
