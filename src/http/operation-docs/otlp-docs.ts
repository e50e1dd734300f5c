import { CHILD_SPAN_ID, EVENT_NS, SPAN_ID, TRACE_ID } from './example-values.js'
import type { OperationDocs } from './operation-doc.js'

const OTLP =
  'OTLP/HTTP in protobuf or JSON. A 200 response means that the records survive a crash; `partialSuccess` counts rejected ones. Errors are `google.rpc.Status`. At most 64 MiB of protobuf, 10 MiB of JSON.'
const RESOURCE = { attributes: [{ key: 'service.name', value: { stringValue: 'checkout' } }] }
const SPAN = { traceId: TRACE_ID, spanId: SPAN_ID }

/** Operations of the OTLP receiver. */
export const OTLP_DOCS: OperationDocs = {
  exportTraces: {
    summary: 'Receive spans over OTLP',
    description: OTLP,
    request: {
      resourceSpans: [
        {
          resource: RESOURCE,
          scopeSpans: [
            {
              scope: { name: 'http' },
              spans: [
                { ...SPAN, name: 'POST /orders', kind: 2, startTimeUnixNano: EVENT_NS, endTimeUnixNano: '1795174800120000000' },
                {
                  traceId: TRACE_ID,
                  spanId: CHILD_SPAN_ID,
                  parentSpanId: SPAN_ID,
                  name: 'SELECT orders',
                  kind: 3,
                  startTimeUnixNano: '1795174800010000000',
                  endTimeUnixNano: '1795174800030000000',
                  attributes: [{ key: 'db.system.name', value: { stringValue: 'postgresql' } }]
                }
              ]
            }
          ]
        }
      ]
    },
    reply: {}
  },
  exportMetrics: {
    summary: 'Receive metrics over OTLP',
    description: OTLP,
    request: {
      resourceMetrics: [
        {
          resource: RESOURCE,
          scopeMetrics: [{ metrics: [{ name: 'pool.in_use', gauge: { dataPoints: [{ timeUnixNano: EVENT_NS, asInt: '5' }] } }] }]
        }
      ]
    },
    reply: {}
  },
  exportLogs: {
    summary: 'Receive log records over OTLP',
    description: OTLP,
    request: {
      resourceLogs: [
        {
          resource: RESOURCE,
          scopeLogs: [
            { logRecords: [{ ...SPAN, timeUnixNano: EVENT_NS, severityNumber: 17, body: { stringValue: 'payment declined' } }] }
          ]
        }
      ]
    },
    reply: {}
  },
  getOtlpStatus: {
    summary: 'Report OTLP traffic',
    description:
      'What this gateway received in the namespace since its start, by protocol and signal. `stale`: no request in the last 5 minutes.',
    reply: {
      namespace: 'default',
      endpoints: [
        {
          protocol: 'http/json',
          url: 'http://127.0.0.1:4318',
          accepting: true,
          last_received: '2026-11-20T11:45:05.281Z',
          received: 3,
          rejected: 0,
          last_error: null
        }
      ],
      spans_per_second: 0.02,
      logs_per_second: 0.02,
      points_per_second: 0.02,
      services: ['checkout'],
      channels: [
        {
          protocol: 'http/json',
          signal: 'traces',
          state: 'receiving',
          requests: 1,
          records: 1,
          bytes: 361,
          sdk: null,
          last_accepted: '2026-11-20T11:45:05.270Z',
          last_rejected: null,
          last_rejection: null,
          rejected_records: 0,
          clock_skew_ms: 305_150,
          without_service: 0
        }
      ]
    }
  },
  sendTestSpan: {
    summary: 'Send a test span',
    description:
      'Sends a span of the service `alidade-test` through the OTLP pipeline and reads it back. Requires role member. OTLP traffic does not count it.',
    reply: {
      service: 'alidade-test',
      trace_id: 'ed3c4b8af811beb55a1c5f82b065d3f8',
      span_id: 'acfeb41d56edb58b',
      readable: true,
      trace: '/api/v1/traces/ed3c4b8af811beb55a1c5f82b065d3f8',
      took_ms: 33.5
    }
  }
}
