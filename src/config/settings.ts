import { postgresUrl, smtpUrl } from '../settings/server-urls.js'
import { secret, setting } from '../settings/setting.js'
import {
  choice,
  duration,
  encryptionKey,
  flag,
  integer,
  mailAddress,
  port,
  proxies,
  size,
  targets,
  text,
  token,
  webUrl
} from '../settings/value-types.js'
import { STORE_SETTINGS } from './store-settings.js'

const KIB = 1024
const MIB = 1024 * KIB
const GIB = 1024 * MIB
const SECOND_MS = 1_000
const HOUR_MS = 3_600 * SECOND_MS
const DAY_MS = 24 * HOUR_MS

/** All settings, by their key in the file (conventions, sections 4 and 10). The type of `Config` follows from this table. */
export const SETTINGS = {
  data_dir: setting(text, './data', 'folder of all data that the service stores'),
  host: setting(text, '127.0.0.1', 'address to listen on'),
  port: setting(port, 8080, 'port of the API; 0 lets the system choose'),
  ingest_port: setting(port, null, 'separate port for ingest of logs and metrics; default the API port'),
  otlp_http_port: setting(port, null, 'port of OTLP over HTTP, 0 disables it; default 4318 if free'),
  otlp_grpc_port: setting(port, null, 'port of OTLP over gRPC, 0 disables it; default 4317 if free'),
  registration: setting(
    choice('open', 'invite', 'closed'),
    null,
    'who may register; default invite; requests from loopback need no invitation while host is loopback and neither public_url nor trusted_proxies is set'
  ),
  public_url: setting(webUrl, null, 'public URL of the service'),
  trusted_proxies: setting(proxies, null, 'proxies whose X-Forwarded-* headers are trusted'),
  admin_password: secret('password of the first operator; generated and printed once by default'),
  log_level: setting(choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info', 'minimum level of log lines'),
  log_requests: setting(choice('off', 'errors', 'all'), 'off', 'which requests get a log line; errors: status 400 and above'),
  metrics_access: setting(
    choice('open', 'token', 'off'),
    null,
    'who may read /metrics; default token if metrics_token is set, else open to loopback while host is loopback and neither public_url nor trusted_proxies is set, else off'
  ),
  metrics_token: secret('token that Prometheus sends as bearer to read /metrics', token),
  secrets_key: secret(
    'key that encrypts private signing keys and the secrets of notification channels in the control database; without it they are stored in plain text',
    encryptionKey
  ),
  secrets_key_previous: secret('previous secrets_key, during a key change', encryptionKey),
  webhook_allow: setting(
    targets,
    null,
    'internal targets of notification channels; default none: only public addresses, over https'
  ),
  smtp_url: setting(smtpUrl, null, 'mail server of notification channels of kind email; default none'),
  smtp_username: setting(text, null, 'user at the mail server; requires TLS unless the server is on this machine'),
  smtp_password: secret('password of that user'),
  smtp_from: setting(mailAddress, null, 'sender of e-mails; required with smtp_url'),
  audit_retention: setting(duration, 400 * DAY_MS, 'how long entries of the audit log are kept'),
  graphql_introspection: setting(flag, true, 'whether GraphQL introspection is enabled'),
  graphql_sandbox: setting(flag, true, 'whether /graphql serves a page to try queries'),
  console: setting(flag, true, 'whether browsers get the console, where it is installed'),
  stop_grace: setting(duration, 10 * SECOND_MS, 'time limit of running requests after a stop signal'),

  ...STORE_SETTINGS,
  database_url: secret('PostgreSQL database for users, keys and namespaces; default embedded SQLite', postgresUrl),
  spool_size: setting(size, 10 * GIB, 'disk limit of records queued while managed stores are unavailable, over all stores'),

  limit_body: setting(size, 10 * MIB, 'JSON body of records, or remote write, after decompression'),
  limit_body_memory: setting(size, 256 * MIB, 'memory limit of all request bodies in flight; at least 64MiB'),
  limit_connections: setting(
    integer(1, 1_000_000),
    2_000,
    'open connections of an IPv4 address or an IPv6 /64, over all ports; those of trusted_proxies are not limited'
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
  limit_future: setting(duration, HOUR_MS, 'maximum distance of an event time into the future'),
  limit_page_rows: setting(integer(1, 100_000), 5_000, 'rows of a page'),
  default_page_rows: setting(integer(1, 100_000), 100, 'default rows of a page'),
  limit_page_traces: setting(integer(1, 10_000), 200, 'traces of a page'),
  default_page_traces: setting(integer(1, 10_000), 20, 'default traces of a page'),
  limit_page_bytes: setting(size, 16 * MIB, 'bytes of a page'),
  limit_points: setting(integer(1, 1_000_000), 11_000, 'points of a series in a response'),
  query_timeout: setting(duration, 30 * SECOND_MS, 'time limit of a query'),
  promql_experimental: setting(flag, true, 'whether the experimental functions of PromQL are enabled'),
  query_cache: setting(size, 256 * MIB, 'memory of the cache of recently queried samples; 1B disables it'),
  query_push_down: setting(flag, true, 'whether queries of long ranges read only the samples within their windows'),
  rate_ingest: setting(size, 50 * MIB, 'ingest rate limit of a namespace in bytes per second; bursts of twice that'),
  rate_queries: setting(integer(1, 1_000_000), 50, 'query rate limit of a namespace per second'),
  limit_running_queries: setting(integer(1, 10_000), 8, 'concurrent query limit of a caller')
} as const

/** Key of a setting in the file. */
export type SettingKey = keyof typeof SETTINGS
