import { CHILD_SPAN_ID, EVENT_TIME, HOUR, LIST_FACTS, MAP, SPAN_ID, TRACE_ID } from './example-values.js'
import type { OperationDocs } from './operation-doc.js'

const DURATION_NS = 120_000_000
const SELF_NS = 100_000_000
const SUMMARY = {
  trace_id: TRACE_ID,
  root_service: 'checkout',
  root_operation: 'POST /orders',
  start: EVENT_TIME,
  duration_ns: DURATION_NS,
  span_count: 2,
  error_span_count: 0,
  services: [{ service: 'checkout', spans: 2, errors: 0 }],
  has_missing_spans: false
}
const SIDE = { trace_id: TRACE_ID, duration_ns: DURATION_NS, span_count: 2, truncated: false }
const TOTALS = { spans: 1, errors: 0, total_ns: DURATION_NS, mean_ns: DURATION_NS, self_time_ns: SELF_NS }

const SCOPE =
  'All conditions on spans must match the same span of a trace. Default window: the last hour; default page: 20 traces, at most 200.'

/** Operations that search, read and compare traces. */
export const TRACE_DOCS: OperationDocs = {
  searchTraces: {
    summary: 'Search traces',
    description: `${SCOPE} Attributes are named \`attr.<name>=value\`, \`resource.<name>=value\`, \`event.<name>=value\` and \`link.<name>=value\`. \`histogram\`, \`durations\` and \`facets\` count the matching spans.`,
    reply: { traces: [SUMMARY], histogram: null, durations: null, facets: [], ...LIST_FACTS }
  },
  queryTraces: {
    summary: 'Search traces with a JSON body',
    description: `${SCOPE} \`histogram\`, \`durations\` and \`facets\` count the matching spans; a facet ignores the conditions on its own field.`,
    request: {
      service: 'checkout',
      min_duration: '100ms',
      ...HOUR,
      total: true,
      facets: ['status']
    },
    reply: {
      traces: [SUMMARY],
      histogram: null,
      durations: null,
      facets: [
        {
          field: 'status',
          type: 'string',
          distinct: { value: 1, relation: 'eq' },
          values: [{ value: 'unset', count: 1, selected: false }],
          other: 0,
          missing: 0
        }
      ],
      ...LIST_FACTS
    }
  },
  getTrace: {
    summary: 'Read a trace',
    description:
      'Finds a trace by id, without a time range. An id of 16 digits finds the trace whose id ends with them; several such traces are 400 `invalid_field` with `suggestions`. Spans are in tree order: parents before children, siblings by start. At most 20,000 spans are read and 5,000 returned by default.',
    reply: {
      trace_id: TRACE_ID,
      start: EVENT_TIME,
      duration_ns: DURATION_NS,
      root_service: 'checkout',
      root_operation: 'POST /orders',
      span_count: 2,
      error_span_count: 0,
      has_missing_spans: false,
      truncated: false,
      services: [{ service: 'checkout', spans: 2, errors: 0, self_time_ns: DURATION_NS, critical_ns: DURATION_NS }],
      critical_path: [
        { span_id: SPAN_ID, start_offset_ns: 0, duration_ns: 10_000_000 },
        { span_id: CHILD_SPAN_ID, start_offset_ns: 10_000_000, duration_ns: 20_000_000 },
        { span_id: SPAN_ID, start_offset_ns: 30_000_000, duration_ns: 90_000_000 }
      ],
      service_map: MAP,
      logs: { total: 3, unlinked: 0 },
      warnings: [],
      spans: [
        {
          id: '01M7WC36QRWHH2JCH2YKV4TX8G0000000',
          span_id: SPAN_ID,
          parent_span_id: null,
          depth: 0,
          child_count: 1,
          service: 'checkout',
          host: null,
          operation: 'POST /orders',
          kind: 'server',
          status: 'unset',
          status_message: null,
          start: EVENT_TIME,
          start_offset_ns: 0,
          duration_ns: DURATION_NS,
          self_time_ns: SELF_NS,
          log_count: 3,
          attributes: {},
          resource: { 'service.name': 'checkout', 'otel.scope.name': 'http' },
          scope: { name: 'http', version: '' },
          events: [],
          links: [],
          exceptions: [],
          trace_state: '',
          flags: 0,
          dropped: { attributes: 0, events: 0, links: 0 },
          ingested_at: '2026-11-20T11:40:00.120Z'
        }
      ]
    }
  },
  compareTraces: {
    summary: 'Compare two traces',
    description:
      'Operations (service, span name, kind) of the trace in the path (`base`) and of `other`, largest difference of self time first. `slowed` and `sped_up`: the mean duration changed by more than 10 %.',
    reply: {
      base: SIDE,
      other: { ...SIDE, trace_id: 'a3ce929d0e0e47364bf92f3577b34da6' },
      operations: [
        {
          service: 'checkout',
          operation: 'POST /orders',
          kind: 'server',
          change: 'unchanged',
          base: TOTALS,
          other: TOTALS,
          self_time_delta_ns: 0
        }
      ],
      warnings: []
    }
  }
}
