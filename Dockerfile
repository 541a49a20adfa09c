# Builds the tool in one stage and runs it in a second one that holds only what it needs. Serve a folder of workflows:
#   docker build -t wf .
#   docker run --rm -p 3000:3000 -v "$PWD/workflows:/workflows:ro" -e WF_AUTH_TOKEN=... wf
# Keep runs in a volume: add `-v wf-data:/data -e WF_STORE=/data/runs`. One file: add `serve /workflows/order.wf`. Runs in flight get 30
# seconds when it stops, so let Docker wait longer: `docker stop -t 40`.

FROM node:22-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build
# What is left is esbuild, xlsx and SQLite; everything else is part of dist/.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:22-slim
# In a container the port is open only to where it is published.
ENV NODE_ENV=production WF_HOST=0.0.0.0 PORT=3000
COPY --from=build /app/package.json /app/package.json
COPY --from=build /app/node_modules /app/node_modules
COPY --from=build /app/dist /app/dist
# A new volume gets the owner of the folder that it covers.
RUN ln -s /app/dist/wf.cjs /usr/local/bin/wf && mkdir /workflows && install -d -o 1000 -g 1000 -m 0700 /data
# The user `node` of the base image, by number, so that Kubernetes sees that it isn't root. Compiled workflows are kept in its home.
USER 1000
WORKDIR /workflows
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# In exec form, without a shell or npm in between: SIGTERM reaches the process itself.
ENTRYPOINT ["wf"]
CMD ["serve", "/workflows"]
