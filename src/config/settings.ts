import type { ValueType } from './value-types.js'
import { cloudId, postgresUrl, serverUrl, serverUrls } from './store-value-types.js'
import { choice, duration, encryptionKey, flag, integer, port, proxies, size, text, token, webUrl } from './value-types.js'

/** One setting: what it takes, what it is when nobody sets it, what `--help` says. */
export interface Setting<T, D extends T | null = T | null> {
  readonly type: ValueType<T>
  readonly default: D
  readonly help: string
  /** May also be given as a file (`..._file`), never as a flag, and is never shown. */
  readonly isSecret: boolean
}

function setting<T, const D extends T | null>(type: ValueType<T>, fallback: D, help: string): Setting<T, D> {
  return { type, default: fallback, help, isSecret: false }
}

function secret(help: string, type: ValueType<string> = text): Setting<string, null> {
  return { type, default: null, help, isSecret: true }
}

const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB
const SECOND_MS = 1_000
const HOUR_MS = 3_600 * SECOND_MS
const DAY_MS = 24 * HOUR_MS

/** All settings, by their key in the file (conventions, sections 4 and 10). The type of `Config` follows from this table. */
export const SETTINGS = {
  data_dir: setting(text, './data', 'folder that holds everything the service stores'),
  host: setting(text, '127.0.0.1', 'address to listen on'),
  port: setting(port, 8080, 'port of the API; 0 lets the system choose'),
  ingest_port: setting(port, null, 'port of its own for logs and metrics ingest; the API port when absent'),
  otlp_http_port: setting(
    port,
    null,
    'port of its own for OTLP over HTTP, 0 for none; 4318, unless another program has it, when absent'
  ),
  otlp_grpc_port: setting(port, null, 'port for OTLP over gRPC, 0 for none; 4317, unless another program has it, when absent'),
  registration: setting(
    choice('open', 'invite', 'closed'),
    null,
    'who may register; when absent: invite, but requests of this machine need no invitation while host is loopback and neither public_url nor trusted_proxies is set'
  ),
  public_url: setting(webUrl, null, 'address under which users reach the service'),
  trusted_proxies: setting(proxies, null, 'proxies whose X-Forwarded-* headers count'),
  admin_password: secret('password of the first operator; made up and printed once when absent'),
  log_level: setting(
    choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    'info',
    'least severe log line written'
  ),
  log_requests: setting(choice('off', 'errors', 'all'), 'off', 'which requests get a log line; errors: status 400 and above'),
  metrics_access: setting(
    choice('open', 'token', 'off'),
    null,
    'who may read /metrics; when absent: token if metrics_token is set, else requests of this machine while host is loopback and neither public_url nor trusted_proxies is set, else off'
  ),
  metrics_token: secret('token that Prometheus sends as bearer to read /metrics', token),
  secrets_key: secret(
    'key that encrypts private signing keys in the control database; they are stored as they are when absent',
    encryptionKey
  ),
  secrets_key_previous: secret('key that they were encrypted with before, while changing to another', encryptionKey),
  audit_retention: setting(duration, 400 * DAY_MS, 'how long entries of the audit log are kept'),
  graphql_introspection: setting(flag, true, 'whether GraphQL clients may read the schema'),
  graphql_sandbox: setting(flag, true, 'whether a browser that opens /graphql gets a page to try queries'),
  stop_grace: setting(duration, 10 * SECOND_MS, 'how long running requests may take after a stop signal'),

  logs_store: setting(choice('duckdb', 'elasticsearch'), null, 'where logs lie; elasticsearch when one is named, else duckdb'),
  events_store: setting(
    choice('duckdb', 'elasticsearch'),
    null,
    'where page timings and errors lie; elasticsearch when one is named, else duckdb'
  ),
  metrics_store: setting(choice('duckdb', 'influxdb'), null, 'where metrics lie; influxdb when one is named, else duckdb'),
  traces_store: setting(
    choice('duckdb', 'elasticsearch'),
    null,
    'where traces lie; elasticsearch when one is named, else duckdb'
  ),
  elasticsearch_url: setting(serverUrls, null, 'nodes of an Elasticsearch or OpenSearch cluster'),
  elasticsearch_cloud_id: setting(cloudId, null, 'Elastic Cloud deployment, instead of elasticsearch_url'),
  elasticsearch_username: setting(text, null, 'user of the cluster'),
  elasticsearch_password: secret('password of that user'),
  elasticsearch_api_key: secret('encoded API key of the cluster, instead of user and password'),
  elasticsearch_ca_file: setting(text, null, 'PEM file of the authority that signed the certificates of the cluster'),
  elasticsearch_replicas: setting(
    integer(0, 10),
    null,
    'copies of each shard beside the first; one when the cluster has several data nodes, else none'
  ),
  influxdb_url: setting(serverUrl, null, 'InfluxDB 2 server'),
  influxdb_org: setting(text, null, 'organisation that owns the buckets'),
  influxdb_token: secret('token that may make, read, write and delete buckets of that organisation'),
  influxdb_buckets: setting(integer(0, 1_000), 20, 'namespaces with a bucket of their own; later ones share one'),
  database_url: secret('PostgreSQL database for users, keys and namespaces; an embedded one when absent', postgresUrl),
  spool_size: setting(size, 10 * GIB, 'disk that records may take while a managed store does not answer, all stores together'),

  limit_body: setting(size, 10 * MIB, 'JSON body of records, or remote write, after decompression'),
  limit_body_memory: setting(
    size,
    256 * MIB,
    'memory for all bodies that are received, decompressed and worked on at once; 64MiB or more'
  ),
  limit_batch_records: setting(integer(1, 1_000_000), 10_000, 'records of one batch'),
  limit_message: setting(size, 256 * KIB, 'message of a log; longer ones are cut and marked'),
  limit_fields: setting(integer(1, 10_000), 256, 'fields of a record'),
  limit_field_name: setting(size, 128, 'name of a field'),
  limit_field_value: setting(size, 31 * KIB, 'value of a field'),
  limit_field_depth: setting(integer(1, 64), 8, 'nesting of a record'),
  limit_labels: setting(integer(1, 1_000), 20, 'labels of a metric point'),
  limit_label_name: setting(size, 128, 'name of a label'),
  limit_label_value: setting(size, KIB, 'value of a label'),
  limit_active_series: setting(integer(1, 100_000_000), 50_000, 'active series of a namespace'),
  limit_future: setting(duration, HOUR_MS, 'how far ahead of the clock an event time may lie'),
  limit_page_rows: setting(integer(1, 100_000), 5_000, 'rows of a page'),
  default_page_rows: setting(integer(1, 100_000), 100, 'rows of a page when the request does not say'),
  limit_page_traces: setting(integer(1, 10_000), 200, 'traces of a page'),
  default_page_traces: setting(integer(1, 10_000), 20, 'traces of a page when the request does not say'),
  limit_page_bytes: setting(size, 16 * MIB, 'bytes of a page'),
  limit_points: setting(integer(1, 1_000_000), 11_000, 'points of a series in an answer'),
  query_timeout: setting(duration, 30 * SECOND_MS, 'time that a query may take'),
  promql_experimental: setting(flag, true, 'whether PromQL has the functions that Prometheus calls experimental'),
  query_cache: setting(size, 256 * MIB, 'memory for samples of metrics that were asked for last; 1B keeps none'),
  query_push_down: setting(flag, true, 'whether long ranges of metrics are read only where a query looks'),
  rate_ingest: setting(size, 50 * MIB, 'bytes a second that a namespace may send, twice that at once'),
  rate_queries: setting(integer(1, 1_000_000), 50, 'queries a second of a namespace'),
  limit_running_queries: setting(integer(1, 10_000), 8, 'queries that one caller may run at once')
} as const

/** Key of a setting in the file. */
export type SettingKey = keyof typeof SETTINGS
