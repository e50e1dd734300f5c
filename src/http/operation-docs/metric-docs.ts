import { EVENT_NS, EVENT_TIME, LIST_FACTS, stored } from './example-values.js'
import type { OperationDocs } from './operation-doc.js'

const PUSHED = '# TYPE queue_depth gauge\nqueue_depth{queue="orders"} 12\n'
const NEW = { new_1h: 1, new_1d: 1 }
const PUSH =
  'Path of the Prometheus Pushgateway; further labels follow as `/<label>/<value>`. Each push appends samples: nothing is replaced or deleted.'

/** Operations that write and read metrics outside of the Prometheus API. */
export const METRIC_DOCS: OperationDocs = {
  ingestMetric: {
    summary: 'Write a metric point',
    description: 'A 200 response means that the point survives a crash. Default time: arrival; default type: gauge.',
    request: { name: 'http.requests', type: 'counter', value: 1027, labels: { service: 'checkout', host: 'web-1' } },
    reply: stored()
  },
  ingestMetrics: {
    summary: 'Write metric points',
    description:
      'The body is an envelope or an array of at most 10,000 points. Valid points are stored even when others are rejected.',
    request: {
      metrics: [
        { name: 'cpu.usage', value: 0.42, timestamp_ns: EVENT_NS, labels: { host: 'web-1' } },
        { name: 'cpu.usage', value: 0.57, timestamp_ns: '1795174815000000000', labels: { host: 'web-1' } }
      ]
    },
    reply: stored(2)
  },
  importMetricText: {
    summary: 'Write metrics in the Prometheus text format',
    description:
      'Accepts the Prometheus text format 0.0.4 and OpenMetrics 1.0, by content type. Default time of a sample: arrival.',
    request: PUSHED,
    reply: stored()
  },
  pushMetrics: { summary: 'Push metrics of a job', description: PUSH, request: PUSHED, reply: stored() },
  putMetrics: {
    summary: 'Push metrics of a job with PUT',
    description: `${PUSH} Same effect as POST.`,
    request: PUSHED,
    reply: stored()
  },
  writeInflux2: {
    summary: 'Write InfluxDB line protocol (API v2)',
    description:
      'Each numeric or boolean field becomes the metric `measurement_field`; string fields are ignored and counted in `X-Ignored-Values`. `bucket` and `org` are ignored.',
    request: 'cpu,host=web-1 usage=0.42,idle=0.58 1795174800000000000\n'
  },
  writeInflux1: {
    summary: 'Write InfluxDB line protocol (API v1)',
    description:
      'Each numeric or boolean field becomes the metric `measurement_field`; string fields are ignored and counted in `X-Ignored-Values`. `db` and `rp` are ignored.',
    request: 'mem,host=web-1 used_percent=61.5 1795174800000000000\n'
  },
  queryMetric: {
    summary: 'Read series of a metric',
    description:
      'Aggregates one metric on a time grid without PromQL. Default window: the last hour; default step: about 300 points; at most 11,000 points a series. A form-encoded body is an instant query of the Prometheus API instead.',
    request: {
      metric: 'cpu.usage',
      start: '2026-11-20T11:30:00Z',
      end: '2026-11-20T11:45:00Z',
      agg: 'max',
      group_by: ['host'],
      step: '5m'
    },
    reply: {
      metric: 'cpu.usage',
      type: 'gauge',
      unit: null,
      step_s: 300,
      series: [{ labels: { host: 'web-1' }, points: [[EVENT_TIME, 0.57]] }],
      ...LIST_FACTS
    }
  },
  getCardinality: {
    summary: 'Report the cardinality of metrics',
    description:
      'Which metrics, services and labels the active series consist of, which ones grew in the last hour and day, and how many series a label accounts for.',
    reply: {
      series: { max: 50_000, active: 9, counted: 9, overflow: 0, ...NEW },
      metrics: [{ metric: 'queue_depth', series: 2, ...NEW }],
      services: [{ service: 'checkout', series: 3, ...NEW }],
      labels: [{ label: 'host', values: 1, new_values_1h: 1, new_values_1d: 1, series: 5, ...NEW, series_without: 9, saved: 0 }],
      found: { metrics: 8, services: 2, labels: 5 },
      limit: 10,
      stats: { took_ms: 4.2 }
    }
  }
}
