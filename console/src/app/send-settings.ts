/** Where a sender connects, and what the lines to copy need to know about it. */
export interface SendTarget {
  /** Base URL of OTLP/HTTP; null when its receiver is disabled. */
  readonly httpUrl: string | null
  /** URL of OTLP/gRPC; null when its receiver is disabled. */
  readonly grpcUrl: string | null
}

/** Lines to copy, under a title. */
export interface Settings {
  readonly title: string
  readonly text: string
}

/** Placeholder of the secret, which the page does not have. */
const KEY = '<ingest key>'

function environment(url: string, protocol: string): string {
  return [
    'export OTEL_SERVICE_NAME=my-service',
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${url}`,
    `export OTEL_EXPORTER_OTLP_PROTOCOL=${protocol}`,
    `export OTEL_EXPORTER_OTLP_HEADERS="x-api-key=${KEY}"`,
    'export OTEL_TRACES_EXPORTER=otlp OTEL_LOGS_EXPORTER=otlp OTEL_METRICS_EXPORTER=otlp'
  ].join('\n')
}

function collector({ httpUrl, grpcUrl }: SendTarget): string {
  const grpc = grpcUrl === null ? null : new URL(grpcUrl)
  const exporter =
    httpUrl !== null
      ? ['  otlp_http:', `    endpoint: ${httpUrl}`, `    headers: { x-api-key: '${KEY}' }`, '    compression: gzip']
      : [
          '  otlp_grpc:',
          `    endpoint: ${grpc!.host}`,
          ...(grpc!.protocol === 'http:' ? ['    tls: { insecure: true }'] : []),
          `    headers: { x-api-key: '${KEY}' }`
        ]
  const name = httpUrl !== null ? 'otlp_http' : 'otlp_grpc'
  const pipeline = (signal: string): string => `    ${signal}: { receivers: [otlp], exporters: [${name}] }`
  return ['exporters:', ...exporter, 'service:', '  pipelines:', ...['traces', 'logs', 'metrics'].map(pipeline)].join('\n')
}

function curl(httpUrl: string): string {
  return [
    `curl -sS ${httpUrl}/v1/logs -H 'x-api-key: ${KEY}' -H 'content-type: application/json' \\`,
    `  -d '{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"my-service"}}]},`,
    `       "scopeLogs":[{"logRecords":[{"severityNumber":9,"body":{"stringValue":"hello"}}]}]}]}'`
  ].join('\n')
}

/** What to copy for SDKs, the Collector and a first try by hand, with the URLs of this service. */
export function sendSettings(target: SendTarget): readonly Settings[] {
  const { httpUrl, grpcUrl } = target
  return [
    ...(httpUrl === null ? [] : [{ title: 'SDK over HTTP', text: environment(httpUrl, 'http/protobuf') }]),
    ...(grpcUrl === null ? [] : [{ title: 'SDK over gRPC', text: environment(grpcUrl, 'grpc') }]),
    ...(httpUrl === null && grpcUrl === null ? [] : [{ title: 'Collector', text: collector(target) }]),
    ...(httpUrl === null ? [] : [{ title: 'One log by curl', text: curl(httpUrl) }])
  ]
}
