import { INSTANT, listSchema, NAMESPACE_QUERY, POINTS, QUERY_TEXT, READ_HEADERS, READ_SECURITY } from '../read-schemas.js'

const TEXT = { type: 'string' } as const
const COUNT = { type: 'integer', minimum: 0 } as const
const NUMBER = { type: 'number' } as const
const NULLABLE_NUMBER = { type: ['number', 'null'] }

const SPAN_OF_TIME = { type: 'object', required: ['start', 'end'], properties: { start: TEXT, end: TEXT } }
const LINK_PROPERTIES = {
  basis: { enum: ['container', 'service', 'host'] },
  value: TEXT,
  confidence: {
    enum: ['certain', 'high', 'medium', 'low'],
    description:
      'high: the same container or pod; medium: the same service; low: the same host only, or a small part of the anchor.'
  }
}
const LINK = { type: 'object', required: ['basis', 'value', 'confidence'], properties: LINK_PROPERTIES }
const LABELS = { type: 'object', additionalProperties: TEXT }
const SIDE = {
  type: 'object',
  required: ['points', 'median', 'spread'],
  properties: {
    points: COUNT,
    median: NULLABLE_NUMBER,
    spread: { ...NULLABLE_NUMBER, description: 'Median absolute deviation times 1.4826.' }
  }
}

const MOVED = {
  type: 'object',
  required: ['metric', 'labels', 'unit', 'form', 'link', 'points', 'baseline', 'window', 'change', 'reason'],
  properties: {
    metric: TEXT,
    labels: LABELS,
    unit: { type: ['string', 'null'] },
    form: {
      enum: ['value', 'rate', 'mean'],
      description: 'Counters are compared as rates per second, histograms and summaries as the mean of what they counted.'
    },
    link: LINK,
    points: POINTS,
    baseline: SIDE,
    window: SIDE,
    change: {
      type: 'object',
      required: ['direction', 'ratio', 'shift', 'effect', 'p', 'q'],
      properties: {
        direction: { enum: ['up', 'down'] },
        ratio: { ...NULLABLE_NUMBER, description: 'Median of the window over that of the baseline.' },
        shift: {
          ...NULLABLE_NUMBER,
          description: 'Difference of the medians divided by the spread of the baseline; null when the spread is 0.'
        },
        effect: { ...NUMBER, description: "Cliff's delta: 1 when all points are above the baseline, -1 when all are below." },
        p: NUMBER,
        q: { ...NUMBER, description: 'p corrected for the number of series tested.' }
      }
    },
    reason: TEXT
  }
}

const ONE_SIDED = {
  type: 'array',
  items: {
    type: 'object',
    required: ['metric', 'labels', 'link', 'points'],
    properties: { metric: TEXT, labels: LABELS, link: LINK, points: COUNT }
  }
}

const ANCHOR_BODY = {
  type: 'object',
  additionalProperties: false,
  description: 'One of {log_id}, {trace_id}, {service, host, at}, {query, start, end}.',
  properties: {
    log_id: TEXT,
    trace_id: TEXT,
    service: TEXT,
    host: TEXT,
    at: INSTANT,
    query: QUERY_TEXT,
    start: INSTANT,
    end: INSTANT
  }
}

/** `POST /api/v1/logs/correlate/metrics`. */
export const CORRELATE_METRICS = {
  tags: ['logs'],
  security: READ_SECURITY,
  headers: READ_HEADERS,
  operationId: 'correlateMetrics',
  querystring: NAMESPACE_QUERY,
  body: {
    type: 'object',
    required: ['anchor'],
    additionalProperties: false,
    properties: {
      namespace: TEXT,
      anchor: ANCHOR_BODY,
      window_s: {
        type: 'integer',
        description: 'Length of the window in seconds, 30 to 21600; default 300. The baseline is six times as long.'
      },
      metrics: { type: 'array', items: TEXT, description: 'Names, or prefixes of names that end in *; default: all.' },
      top: { type: 'integer', description: 'Series in the response, 1 to 100; default 10.' }
    }
  },
  response: {
    200: listSchema('Series that moved.', {
      anchor: {
        type: 'object',
        required: ['kind', 'found', 'start', 'end', 'trace_id', 'logs'],
        properties: {
          kind: { enum: ['log', 'trace', 'moment', 'query'] },
          found: { type: 'boolean' },
          ...SPAN_OF_TIME.properties,
          trace_id: { type: ['string', 'null'] },
          logs: COUNT
        }
      },
      baseline: SPAN_OF_TIME,
      links: { type: 'array', items: { ...LINK, properties: { ...LINK_PROPERTIES, series: COUNT } } },
      verdict: { enum: ['moved', 'nothing_moved', 'nothing_to_test'] },
      tested: { ...COUNT, description: 'Series with enough points on both sides.' },
      moved: COUNT,
      method: {
        type: 'object',
        required: ['test', 'correction', 'q', 'effect'],
        properties: { test: TEXT, correction: TEXT, q: NUMBER, effect: NUMBER }
      },
      series: { type: 'array', items: MOVED },
      appeared: { ...ONE_SIDED, description: 'Series with points in the window only; not tested.' },
      vanished: { ...ONE_SIDED, description: 'Series with points in the baseline only.' },
      missing: {
        type: 'array',
        items: {
          type: 'object',
          required: ['signal', 'reason', 'detail'],
          properties: {
            signal: TEXT,
            reason: { enum: ['expired', 'not_arrived', 'never_seen', 'sampled_out', 'no_origin'] },
            detail: TEXT
          }
        }
      }
    })
  }
}
