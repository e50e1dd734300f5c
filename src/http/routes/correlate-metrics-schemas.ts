import {
  COUNT,
  FLAG,
  list,
  NULLABLE_NUMBER,
  NULLABLE_TEXT,
  NUMBER,
  object,
  objectWith,
  optional,
  requiring,
  TEXT,
  typed
} from '../json-schema.js'
import { INSTANT, listSchema, NAMESPACE_QUERY, POINTS, QUERY_TEXT, READ_HEADERS, READ_SECURITY } from '../read-schemas.js'

const SPAN_OF_TIME = { start: TEXT, end: TEXT }
const LINK_MEMBERS = {
  basis: { enum: ['container', 'service', 'host'] } as const,
  value: TEXT,
  confidence: {
    enum: ['certain', 'high', 'medium', 'low'],
    description:
      'high: the same container or pod; medium: the same service; low: the same host only, or a small part of the anchor.'
  } as const
}
/** What ties a series to the anchor. */
export const LINK = object(LINK_MEMBERS)
const LABELS = typed<Readonly<Record<string, string>>>({ type: 'object', additionalProperties: TEXT })
/** Statistics of a series in the window or in the baseline. */
export const SIDE = object({
  points: COUNT,
  median: NULLABLE_NUMBER,
  spread: { ...NULLABLE_NUMBER, description: 'Median absolute deviation times 1.4826.' }
})

/** A series that changed. */
export const MOVED = object({
  metric: TEXT,
  labels: LABELS,
  unit: NULLABLE_TEXT,
  form: {
    enum: ['value', 'rate', 'mean'],
    description: 'Counters are compared as rates per second, histograms and summaries as the mean of what they counted.'
  } as const,
  link: LINK,
  points: POINTS,
  baseline: SIDE,
  window: SIDE,
  change: object({
    direction: { enum: ['up', 'down'] } as const,
    ratio: { ...NULLABLE_NUMBER, description: 'Median of the window over that of the baseline.' },
    shift: {
      ...NULLABLE_NUMBER,
      description: 'Difference of the medians divided by the spread of the baseline; null when the spread is 0.'
    },
    effect: { ...NUMBER, description: "Cliff's delta: 1 when all points are above the baseline, -1 when all are below." },
    p: NUMBER,
    q: { ...NUMBER, description: 'p corrected for the number of series tested.' }
  }),
  reason: TEXT
})

/** A series with points on one side only. */
export const ONE_SIDED = object({ metric: TEXT, labels: LABELS, link: LINK, points: COUNT })

const ANCHOR_BODY = optional(
  {
    log_id: TEXT,
    trace_id: TEXT,
    service: TEXT,
    host: TEXT,
    at: INSTANT,
    query: QUERY_TEXT,
    start: INSTANT,
    end: INSTANT
  },
  { description: 'One of {log_id}, {trace_id}, {service, host, at}, {query, start, end}.' }
)

/** The response without the members of every list. */
export const CORRELATION = {
  anchor: object({
    kind: { enum: ['log', 'trace', 'moment', 'query'] } as const,
    found: FLAG,
    ...SPAN_OF_TIME,
    trace_id: NULLABLE_TEXT,
    logs: COUNT
  }),
  baseline: object(SPAN_OF_TIME),
  links: list(objectWith(['basis', 'value', 'confidence'], { ...LINK_MEMBERS, series: COUNT })),
  verdict: { enum: ['moved', 'nothing_moved', 'nothing_to_test'] } as const,
  tested: { ...COUNT, description: 'Series with enough points on both sides.' },
  moved: COUNT,
  method: object({ test: TEXT, correction: TEXT, q: NUMBER, effect: NUMBER }),
  series: list(MOVED),
  appeared: { ...list(ONE_SIDED), description: 'Series with points in the window only; not tested.' },
  vanished: { ...list(ONE_SIDED), description: 'Series with points in the baseline only.' },
  missing: list(
    object({
      signal: TEXT,
      reason: { enum: ['expired', 'not_arrived', 'never_seen', 'sampled_out', 'no_origin'] } as const,
      detail: TEXT
    })
  )
}

/** `POST /api/v1/logs/correlate/metrics`. */
export const CORRELATE_METRICS = {
  tags: ['logs'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  operationId: 'correlateMetrics',
  querystring: NAMESPACE_QUERY,
  body: requiring(['anchor'], {
    namespace: TEXT,
    anchor: ANCHOR_BODY,
    window_s: {
      type: 'integer',
      description: 'Length of the window in seconds, 30 to 21600; default 300. The baseline is six times as long.'
    } as const,
    metrics: { ...list(TEXT), description: 'Names, or prefixes of names that end in *; default: all.' },
    top: { type: 'integer', description: 'Series in the response, 1 to 100; default 10.' } as const
  }),
  response: { 200: listSchema('Series that changed.', CORRELATION) }
}
