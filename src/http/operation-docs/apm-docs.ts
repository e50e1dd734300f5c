import { EVENT_TIME, LIST_FACTS, MAP, READ_FACTS, RED, stored, TRACE_ID } from './example-values.js'
import type { OperationDocs } from './operation-doc.js'

const ERROR = {
  service: 'checkout',
  type: 'PaymentError',
  message: 'card 4711 declined',
  timestamp: '2026-11-20T11:40:00Z',
  stack: 'PaymentError: card 4711 declined\n    at charge (/srv/pay.js:12:9)',
  trace_id: TRACE_ID,
  host: 'web-1',
  tags: { release: '1.4.0' }
}
const FINGERPRINT = '66ea23b1119b6cf09abb6a87b8e3a36a'
const SAMPLE_ID = '01M7WCCGRSN3XYB9C2PGQ3CZCF0000000'
const GROUP = {
  fingerprint: FINGERPRINT,
  service: 'checkout',
  type: 'PaymentError',
  message: 'card 4711 declined',
  count: 1,
  first_seen: EVENT_TIME,
  last_seen: EVENT_TIME,
  sample_id: SAMPLE_ID,
  state: 'open',
  decided_at: null,
  decided_by: null
}
const SERVICE = {
  name: 'checkout',
  ...RED,
  requests: 'server_consumer',
  apdex: 1,
  spans: 1,
  last_seen: EVENT_TIME,
  state: 'active',
  language: null,
  version: null,
  trend: { calls: [0, 1], errors: [0, 0] },
  change: { calls: null, error_rate: null, p95: null }
}
const GRID = { start: '2026-11-20T11:00:00.000000000Z', step_s: 1800, length: 2 }

/** Operations about services, their errors and the page views of browsers. */
export const APM_DOCS: OperationDocs = {
  ingestApmMetric: {
    summary: 'Write a service metric',
    description: 'Stored as a metric point with the labels `service` and `tags`. Default time: arrival.',
    request: { service: 'checkout', name: 'orders.created', value: 3, tags: { region: 'eu' } },
    reply: stored()
  },
  ingestApmError: {
    summary: 'Write an application error',
    description:
      'Errors with the same fingerprint form a group: service, type and top stack frames, or the message without its variable parts.',
    request: ERROR,
    reply: stored()
  },
  ingestRum: {
    summary: 'Write a page view',
    description:
      'Keys of kind rum are public and valid from their allowed origins only. A `text/plain` body (`navigator.sendBeacon`) has the same JSON and returns 204. At most 1 MiB.',
    request: {
      page_url: 'https://shop.example/orders/8',
      page_title: 'Order',
      largest_contentful_paint_ms: 1830,
      cumulative_layout_shift: 0.04,
      session_id: 's-1',
      browser: 'Firefox',
      device_type: 'mobile',
      country: 'DE'
    },
    reply: stored()
  },
  preflightRum: {
    summary: 'Handle the CORS preflight of a page view',
    description: 'Allows every origin, because a preflight has no key: the POST checks key and origin.'
  },
  reportRum: {
    summary: 'Report page timings',
    description:
      'Percentiles and ratings of page timings, overall or per group. Default window: the last 24 hours. `page_url` matches a URL or a page group. Ratings apply to the 75th percentile.',
    reply: {
      group_by: null,
      groups: [
        {
          key: null,
          samples: 1,
          sessions: 1,
          metrics: {
            lcp: { samples: 1, p50: 1830, p75: 1830, p95: 1830, rating: 'good', good: 1, needs_improvement: 0, poor: 0 },
            cls: { samples: 1, p50: 0.04, p75: 0.04, p95: 0.04, rating: 'good', good: 1, needs_improvement: 0, poor: 0 }
          }
        }
      ],
      ...LIST_FACTS
    }
  },
  listApmMetrics: {
    summary: 'Read service metrics',
    description:
      'Without `name`: the series that services wrote. With `name`: the points of that metric, as from `POST /api/v1/query`.',
    reply: {
      metrics: [
        {
          name: 'orders.created',
          type: 'gauge',
          service: 'checkout',
          labels: { region: 'eu' },
          first_seen: EVENT_TIME,
          last_seen: EVENT_TIME
        }
      ],
      ...LIST_FACTS
    }
  },
  listApmErrors: {
    summary: 'List error groups',
    description:
      'Errors from `POST /api/v1/apm/errors` and `exception` events of spans, grouped by fingerprint, most recently seen first. With `fingerprint`: the errors of that group.',
    reply: { groups: [GROUP], ...LIST_FACTS }
  },
  getErrorGroup: {
    summary: 'Read an error group',
    description: 'Releases, hosts, frequency, latest error and latest trace of a group. Default window: the whole retention.',
    reply: {
      group: GROUP,
      releases: [{ value: '1.4.0', count: 1, last_seen: EVENT_TIME }],
      hosts: [{ value: 'web-1', count: 1, last_seen: EVENT_TIME }],
      histogram: { start: '2026-11-20T11:00:00.000000000Z', step_s: 1800, counts: [0, 1] },
      sample: {
        id: SAMPLE_ID,
        namespace: 'default',
        ...ERROR,
        timestamp: EVENT_TIME,
        span_id: null,
        fingerprint: FINGERPRINT,
        ingested_at: '2026-11-20T11:40:01.305Z'
      },
      trace: {
        trace_id: TRACE_ID,
        span_id: null,
        trace: `/api/v1/traces/${TRACE_ID}`,
        logs: `/api/v1/logs/correlate/traces/${TRACE_ID}`
      },
      ...READ_FACTS
    }
  },
  setErrorGroupState: {
    summary: 'Resolve, ignore or reopen an error group',
    description:
      'Requires role member. A resolved group becomes `regressed` with the next later error. The audit log records the change.',
    request: { state: 'resolved' },
    reply: { group: { ...GROUP, state: 'resolved', decided_at: '2026-11-20T11:45:07.405Z', decided_by: 'm53xbhhkibr7385pjmab' } }
  },
  listServices: {
    summary: 'List services',
    description:
      'Services with rate, errors and duration of their requests, derived from spans. Default window: the last hour; default: 100 services, a trend of 30 points, and the change against the preceding window.',
    reply: { services: [SERVICE], grid: GRID, apdex_ms: 500, ...LIST_FACTS }
  },
  getService: {
    summary: 'Read a service',
    description:
      'Requests, operations, versions, languages and hosts of a service. Default window: the last hour; default: 50 operations, most calls first.',
    reply: {
      service: SERVICE,
      grid: GRID,
      apdex_ms: 500,
      operations: [{ name: 'POST /orders', kind: 'server', ...RED }],
      versions: [],
      languages: [],
      hosts: [],
      ...LIST_FACTS
    }
  },
  getServiceMap: {
    summary: 'Read the service map',
    description:
      'Calls between services, and from services to databases, queues and other peers. With `service`: only callers and callees at most `depth` calls away.',
    reply: {
      ...MAP,
      ...LIST_FACTS
    }
  }
}
