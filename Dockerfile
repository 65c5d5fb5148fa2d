# Contains only the backend. Node runs TypeScript directly, so no build step is needed.
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
RUN install -d -o 1000 -g 1000 -m 0700 /data /app/.cache
COPY --from=dependencies /app/node_modules node_modules
# The user below must be able to read the files, whatever umask was set when the sources were downloaded.
COPY --chmod=755 package.json ./
COPY --chmod=755 contract contract
COPY --chmod=755 design design
COPY --chmod=755 backend backend

ENV NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/.cache \
    TERSE_LISTEN=0.0.0.0:8787 \
    TERSE_SHORT_LISTEN=0.0.0.0:8788 \
    TERSE_DATABASE=file:/data/terse.db

# The unprivileged user of the base image. Kubernetes needs the number to verify that this user is not root.
USER 1000:1000
# Stores the compiled program, so that the service starts faster and needs 20 MB less memory.
RUN ["node", "--import", "./backend/src/commands/serve.ts", "backend/src/main.ts", "--version"]
VOLUME /data
EXPOSE 8787 8788
# --start-interval is set in compose.yaml instead, because Podman and Buildah in Debian 12 do not support it.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "backend/src/healthcheck.ts"]
# Node is the first process of the container. It handles the signals that stop the container. The flags are the same as
# in `npm run backend`.
ENTRYPOINT ["node", "backend/src/main.ts"]
CMD ["serve"]
