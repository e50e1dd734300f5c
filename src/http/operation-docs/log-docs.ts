import { EVENT_TIME, HOUR, LIST_FACTS, READ_FACTS, SPAN_ID, stored, TRACE_ID } from './example-values.js'
import type { OperationDocs } from './operation-doc.js'

const LOG_RECORD = {
  message: 'payment declined',
  timestamp: '2026-11-20T11:40:00.123456789Z',
  level: 'error',
  service: 'checkout',
  host: 'web-1',
  trace_id: TRACE_ID,
  span_id: SPAN_ID,
  log_fields: { order_id: 8 },
  tags: { env: 'prod' }
}

const PATTERN_ID = '0a4e08c5a3f59be6d1eb'

const STORED_LOG = {
  id: '01M7WCCGD8AEGG0Q8SZ4G09AMG0000000',
  namespace: 'default',
  ...LOG_RECORD,
  level_text: 'error',
  severity_number: 17,
  source: null,
  ingested_at: '2026-11-20T11:40:00.936Z',
  pattern_id: PATTERN_ID
}

const PATTERN = {
  pattern_id: PATTERN_ID,
  template: 'payment declined',
  count: 1,
  share: 0.5,
  services: [{ value: 'checkout', count: 1 }],
  levels: [{ value: 'error', count: 1 }],
  first_seen: EVENT_TIME,
  last_seen: EVENT_TIME,
  state: 'new',
  muted: false,
  note: null,
  trend: { start: '2026-11-20T11:00:00.000000000Z', step_ms: 120_000, counts: [0, 1] },
  samples: [STORED_LOG],
  change: null
}

const SERVICE_LINK = { basis: 'service', value: 'checkout', confidence: 'medium' }

function valuesOf(value: string): object {
  return { values: [{ value, count: 2, last_seen: EVENT_TIME }], missing_count: 0, other_count: 0, ...LIST_FACTS }
}

function facetOf(field: string, value: string): object {
  const values = [{ value, count: 2, selected: false }]
  return { field, type: 'string', distinct: { value: 1, relation: 'eq' }, values, other: 0, missing: 0 }
}

/** Operations that write, search and count log records. */
export const LOG_DOCS: OperationDocs = {
  ingestLog: {
    summary: 'Write a log record',
    description:
      'Accepts the JSON output of common loggers; unrecognized members are stored in `log_fields`. A 200 response means that the record survives a crash.',
    request: LOG_RECORD,
    reply: stored()
  },
  ingestLogs: {
    summary: 'Write log records',
    description:
      'The body is an envelope, an array, or NDJSON with one record per line; at most 10,000 records. Valid records are stored even when others are rejected (`status: partial`). `defaults` has values for records without their own. A batch with `stream` is stored once, however often it is sent, and the response has the position of the stream.',
    request: {
      logs: [
        { ...LOG_RECORD, message: 'order paid', level: 'info' },
        { message: 'cache miss', service: 'cart' }
      ]
    },
    reply: stored(2)
  },
  searchLogs: {
    summary: 'Search log records',
    description:
      'Default window: the last hour; default page: 100 records, latest first. With `around` the page has a log and the logs around it; `page.next_cursor` and `page.previous_cursor` continue it both ways. With `Accept: application/x-ndjson` the response streams all matches, and its last line is `complete` or `error`.',
    request: { query: 'level:error service:checkout', ...HOUR, total: true },
    reply: { logs: [STORED_LOG], ...LIST_FACTS }
  },
  tailLogs: {
    summary: 'Follow logs as they arrive',
    description:
      'Server-sent events. Each event `logs` has the matching logs that arrived at any gateway since the one before, oldest event first, and in `dropped` how many were left out because the client or the store could not keep up. The first one has no logs. Its `id` resumes after it without a gap, over other connections and gateways; browsers send it by themselves. An event without logs comes at least every 5 s. A failure is an event `problem`, after which the stream ends. A client that takes nothing for 60 s is disconnected. Live tails count as sockets: 20 of one user or key, 100 of a namespace.',
    reply:
      'retry: 1000\nid: kVhkFkg3bYJ0c2Vn\nevent: logs\ndata: {"logs":[],"dropped":0}\n\nid: Tg1xN0pQd3JmZWlv\nevent: logs\ndata: {"logs":[{"id":"01M7WCCGD8AEGG0Q8SZ4G09AMG0000000","namespace":"default","timestamp":"2026-11-20T11:40:00.123456789Z","message":"payment declined","level":"error"}],"dropped":0}\n\n'
  },
  listLogLevels: {
    summary: 'List log levels',
    description: 'Levels of the matching records, most frequent first. Default window: the last hour.',
    reply: valuesOf('error')
  },
  listLogServices: {
    summary: 'List services that write logs',
    description: 'Services of the matching records, most frequent first. Default window: the last hour.',
    reply: valuesOf('checkout')
  },
  listLogHosts: {
    summary: 'List hosts that write logs',
    description: 'Hosts of the matching records, most frequent first. Default window: the last hour.',
    reply: valuesOf('web-1')
  },
  listLogFields: {
    summary: 'List the fields of log records',
    description:
      'Fields of the matching records with type, frequency and examples, for completion: well-known ones, counted exactly, then the free fields of the latest 10,000 records. Default window: the last hour.',
    reply: {
      fields: [{ name: 'service', type: 'string', count: 2, cardinality: 1, examples: ['checkout'] }],
      ...LIST_FACTS,
      total: null
    }
  },
  facetLogs: {
    summary: 'Count log records per field value',
    description:
      'A facet ignores the conditions on its own field. Without `fields`, the response has at most 12 fields that suit the data, and in `ranges` at most 6 with many numbers. At most 20 fields, 10 values each by default. `contains` searches in the values of `fields`.',
    request: { ...HOUR, fields: ['service', 'level'] },
    reply: { facets: [facetOf('service', 'checkout'), facetOf('level', 'error')], ranges: [], skipped: [], ...LIST_FACTS }
  },
  listLogPatterns: {
    summary: 'List the patterns of log records',
    description:
      'Messages that differ in their variable parts only are one pattern. Counts are exact for the filter. Default window: the last hour. With `compare_start` and `compare_end`, patterns whose share changed significantly come first, those included that vanished.',
    reply: {
      patterns: [PATTERN],
      logs: 2,
      unassigned: 0,
      tested: 0,
      ...LIST_FACTS
    }
  },
  getLogPattern: {
    summary: 'Read a pattern of log records',
    description:
      'By any id that it had, over the whole retention. Patterns that became one have a common id; the earlier ids stay valid.',
    reply: { pattern: PATTERN, ...READ_FACTS }
  },
  updateLogPattern: {
    summary: 'Set the note of a pattern, or mute it',
    description:
      'Requires role member. Absent members stay as they are. The note and the mute stay when patterns become one. The audit log records the change.',
    request: { note: 'Owned by payments', muted: true },
    reply: { pattern: { ...PATTERN, muted: true, note: 'Owned by payments' }, ...READ_FACTS }
  },
  aggregateRecords: {
    summary: 'Compute measures over fields, by groups and over time',
    description:
      'Counts, sums, averages, extremes, percentiles and numbers of different values of the fields of logs or spans, in all, by up to three fields and over time. Numbers are those that range conditions compare with: numbers, and strings that read as numbers; `duration` of spans is in nanoseconds. Groups are ranked by one measure. Search stores refuse exact percentiles and distinct counts of many values: request estimates with `exact: false`. Default window: the last hour.',
    request: {
      signal: 'logs',
      ...HOUR,
      query: 'service:checkout',
      measures: [{ fn: 'count' }, { fn: 'p95', field: 'duration_ms', ref: 'slow' }],
      group_by: ['release'],
      order_by: 'slow',
      step: '30m'
    },
    reply: {
      rows: [
        {
          group: ['v2'],
          measures: [
            { ref: 'count', value: 1200, values: [700, 500] },
            { ref: 'slow', value: 480.5, values: [350, 912.25] }
          ]
        }
      ],
      other: null,
      groups: { value: 1, relation: 'eq' },
      grid: { start: '2026-11-20T11:00:00.000000000Z', step_s: 1800, length: 2 },
      relative_error: 0,
      ...LIST_FACTS,
      total: null
    }
  },
  compareRecords: {
    summary: 'Find what differs between two windows or two filters',
    description:
      "Compares logs or spans of two sides: values of fields by the shares of rows, numbers by their ranks, patterns. Counts are exact. Fisher's exact test, G-test and rank-sum test; p-values corrected by Benjamini and Hochberg over everything that was tested. No findings: nothing differs significantly. Fields are those of sampled rows, at most 40; each side lists 200 values of a field. Default window: the last hour.",
    request: {
      signal: 'logs',
      base: { start: '2026-11-20T10:00:00Z', end: '2026-11-20T11:00:00Z', query: 'service:checkout' },
      other: { ...HOUR, query: 'service:checkout' }
    },
    reply: {
      findings: [
        {
          kind: 'field_value',
          name: 'log_fields.release',
          value: 'v2',
          base_count: 0,
          base_total: 5000,
          other_count: 2600,
          other_total: 5210,
          effect: 12.28,
          q: 1.4e-300,
          evidence: { side: 'other', query: '(service:checkout) log_fields.release:"v2"' }
        }
      ],
      tested: 61,
      skipped: [{ field: 'log_fields.order_id', reason: 'counts up with time' }],
      base: { start: '2026-11-20T10:00:00.000000000Z', end: '2026-11-20T11:00:00.000000000Z', rows: 5000 },
      other: { start: '2026-11-20T11:00:00.000000000Z', end: '2026-11-20T12:00:00.000000000Z', rows: 5210 },
      ...LIST_FACTS,
      total: null
    }
  },
  correlateTraceLogs: {
    summary: 'List the log records of a trace',
    description:
      'Oldest first, including records with only the last 16 digits of the trace id. Default window: the trace and 1 h on either side, or the whole retention when the trace is not stored. An unknown trace returns 200 with `trace_found: false`.',
    reply: {
      trace_id: TRACE_ID,
      trace_found: true,
      logs: [STORED_LOG],
      by_span: [{ span_id: SPAN_ID, count: 1 }],
      unlinked: 0,
      ...LIST_FACTS
    }
  },
  correlateMetrics: {
    summary: 'Find metric series that changed with an event',
    description:
      'Compares series of the same container, service or host in the window with the baseline before it, which is six times as long. Rank-sum test with a variance corrected for autocorrelation; p-values corrected by Benjamini and Hochberg; most significant first.',
    request: { anchor: { service: 'checkout', at: '2026-11-20T11:40:00Z' }, window_s: 300, top: 5 },
    reply: {
      anchor: { kind: 'moment', found: true, start: '2026-11-20T11:39:59.999999999Z', end: EVENT_TIME, trace_id: null, logs: 0 },
      baseline: { start: '2026-11-20T11:07:30.000000000Z', end: '2026-11-20T11:37:30.000000000Z' },
      links: [{ ...SERVICE_LINK, series: 1 }],
      verdict: 'nothing_moved',
      tested: 4,
      moved: 0,
      method: { test: 'rank_sum', correction: 'benjamini_hochberg', q: 0.05, effect: 0.33 },
      series: [],
      appeared: [{ metric: 'pool_in_use', labels: { job: 'checkout', service: 'checkout' }, link: SERVICE_LINK, points: 1 }],
      vanished: [],
      missing: [],
      ...LIST_FACTS
    }
  },
  getReceipt: {
    summary: 'Read the receipt of a write (not implemented)',
    description: 'Planned. Returns 501 `not_implemented`.'
  },
  listRejected: {
    summary: 'List rejected records (not implemented)',
    description: 'Planned. Returns 501 `not_implemented`.'
  },
  replayRejected: {
    summary: 'Replay rejected records (not implemented)',
    description: 'Planned. Returns 501 `not_implemented`.'
  }
}
