# Build: everything, with the development dependencies, whose scripts it does without. It generates the
# database client and the types of the API itself.
FROM node:22-slim@sha256:48e4b67d85f87bd551df43704e24d252f56cc5f8e9718841aace50f19948f0f9 AS build
WORKDIR /app
COPY package.json package-lock.json prisma.config.ts ./
COPY prisma ./prisma
COPY packages ./packages
COPY clients ./clients
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json nest-cli.json .swcrc cli.ts ./
COPY bin ./bin
COPY cli ./cli
COPY src ./src
RUN npm run build \
  && find dist packages clients \( -name '*.map' -o -name '*.ts' \) -delete

# Runtime: what the service needs. The generated database client is in dist already, so that the
# install needs no scripts; the optional packages are the embedded PostgreSQL and Prisma's command
# line, which production does without.
FROM node:22-slim@sha256:48e4b67d85f87bd551df43704e24d252f56cc5f8e9718841aace50f19948f0f9
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json ./
COPY --from=build /app/packages ./packages
COPY --from=build /app/clients ./clients
COPY bin ./bin
# The packages that the service and its command line use. Nothing reads
# their source maps, TypeScript, and Prisma's compilers for other databases: 160 MB of 260.
RUN --mount=type=cache,target=/root/.npm \
  npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  --include-workspace-root --workspace=packages --workspace=clients/cli \
  --workspace=clients/typescript --workspace=clients/markdown --workspace=clients/mcp \
  && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.[cm]ts' \) -delete \
  && find node_modules/@prisma/client/runtime -name 'query_compiler_*' \
  ! -name 'query_compiler_small_bg.postgresql.*' -delete
COPY prisma ./prisma
COPY examples ./examples
COPY docs ./docs
COPY --from=build /app/dist ./dist
COPY LICENSE ./
USER node
EXPOSE 3000
# Alive, not ready: a database that is away is no reason to be restarted.
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node is the first process and gets SIGTERM itself.
CMD ["node", "dist/main.js"]
