# Busbar's platform: console, API, MQTT, tunnels and visits in one process. PostgreSQL is another container
# (compose.yaml) or a server of your own: DATABASE_URL.
#
# Node and every package are those of package-lock.json, with their checksums. For a build that can be repeated to the
# byte, name the base by its digest: --build-arg BASE=debian@sha256:…
ARG BASE=debian:13-slim

FROM ${BASE} AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates libatomic1 nodejs npm \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN node tools/package-platform.mjs /out

FROM ${BASE}
# What Node needs beside the C library, and what `busbar node certificates` makes certificates with.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates libatomic1 libstdc++6 openssl \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 10001 busbar \
  && useradd --uid 10001 --gid busbar --home-dir /var/lib/busbar --shell /usr/sbin/nologin busbar \
  && install -d -o busbar -g busbar -m 0700 /var/lib/busbar /var/lib/busbar/files
COPY --from=build /out /opt/busbar
COPY --chmod=0755 deploy/busbar /usr/local/bin/busbar

# 0.0.0.0 is this container's own network: what is reached from outside is what gets published.
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=8080 \
  MQTT_PORT=1883 \
  METRICS_PORT=9464 \
  METRICS_HOST=0.0.0.0 \
  DATA_DIR=/var/lib/busbar
USER busbar
WORKDIR /opt/busbar
EXPOSE 8080 1883 9464
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/opt/busbar/bin/node", "/opt/busbar/deploy/healthcheck.mjs"]
# No shell between the signal and the process. Beside DATABASE_URL only the keys in DATA_DIR are written, a volume: the
# root may be read-only.
ENTRYPOINT ["/opt/busbar/bin/node", "/opt/busbar/platform/dist/main.mjs"]
