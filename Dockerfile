# The server of a team: `docker compose up` starts it with its database and a proxy (docs/team.md).
FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --wheel-dir /wheels ".[postgres,metrics,telemetry]"

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels "reflection-mcp[postgres,metrics,telemetry]" \
    && rm -r /wheels \
    && useradd --uid 10001 --create-home reflection \
    && install -d -o reflection -m 0700 /data
USER 10001
ENV REFLECTION_TOKENS=/data/tokens.toml
VOLUME /data
EXPOSE 8931 9931
HEALTHCHECK CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:9931/healthz', timeout=2)"]
ENTRYPOINT ["reflection-mcp"]
CMD ["serve", "--http", "--metrics-port", "9931"]
