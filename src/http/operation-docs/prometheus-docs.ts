import type { OperationDoc, OperationDocs } from './operation-doc.js'

const SERIES = { __name__: 'cpu_usage', host: 'web-1' }
const FORM = 'application/x-www-form-urlencoded'

function success(data: unknown): object {
  return { status: 'success', data }
}

/** An endpoint by GET, with parameters in the query string, and by POST, with the same parameters in a form. */
function byForm(id: string, doc: OperationDoc, form: string): OperationDocs {
  const posted = {
    summary: `${doc.summary} (form)`,
    description: `${doc.description} Same as GET, with the parameters in a form.`
  }
  return { [id]: doc, [`${id}Form`]: { ...doc, ...posted, request: form, requestType: FORM } }
}

/** Operations of the Prometheus HTTP API, and remote write. */
export const PROMETHEUS_DOCS: OperationDocs = {
  ...byForm(
    'promqlQuery',
    {
      summary: 'Evaluate PromQL at one time',
      description: 'Prometheus HTTP API, instant query. Parameters: `query`, `time`, `timeout`, `limit`, `lookback_delta`.',
      reply: success({ resultType: 'vector', result: [{ metric: SERIES, value: [1_795_174_800, '0.42'] }] })
    },
    'query=cpu_usage&time=2026-11-20T11:40:00Z'
  ),
  ...byForm(
    'promqlQueryRange',
    {
      summary: 'Evaluate PromQL over a range',
      description:
        'Prometheus HTTP API, range query. Parameters: `query`, `start`, `end`, `step`, `timeout`, `limit`, `lookback_delta`. At most 11,000 points a series.',
      reply: success({
        resultType: 'matrix',
        result: [
          {
            metric: SERIES,
            values: [
              [1_795_174_800, '0.42'],
              [1_795_174_830, '0.42']
            ]
          }
        ]
      })
    },
    'query=cpu_usage&start=2026-11-20T11:40:00Z&end=2026-11-20T11:41:00Z&step=30s'
  ),
  ...byForm(
    'promqlSeries',
    {
      summary: 'List metric series',
      description: 'Prometheus HTTP API. Parameters: `match[]` (required, repeatable), `start`, `end`, `limit`.',
      reply: success([SERIES])
    },
    'match[]=cpu_usage&start=2026-11-20T11:00:00Z'
  ),
  ...byForm(
    'promqlLabels',
    {
      summary: 'List label names',
      description: 'Prometheus HTTP API. Parameters: `match[]`, `start`, `end`, `limit`.',
      reply: success(['__name__', 'host'])
    },
    'match[]=cpu_usage'
  ),
  promqlLabelValues: {
    summary: 'List the values of a label',
    description: 'Prometheus HTTP API. Parameters: `match[]`, `start`, `end`, `limit`.',
    reply: success(['web-1'])
  },
  promqlMetadata: {
    summary: 'Read type, help and unit of metrics',
    description: 'Prometheus HTTP API. Parameters: `metric`, `limit`. A metric without metadata has the type of its samples.',
    reply: success({ cpu_usage: [{ type: 'gauge', help: '', unit: '' }] })
  },
  ...byForm(
    'promqlFormat',
    {
      summary: 'Format a PromQL expression',
      description: 'Prometheus HTTP API. Parameter: `query`.',
      reply: success('sum by (host) (cpu_usage)')
    },
    'query=sum(cpu_usage)by(host)'
  ),
  ...byForm(
    'promqlParse',
    {
      summary: 'Parse a PromQL expression',
      description: 'Prometheus HTTP API. Parameter: `query`. Returns the syntax tree.',
      reply: success({
        type: 'vectorSelector',
        name: 'cpu_usage',
        offset: 0,
        offsetExpr: null,
        timestamp: null,
        startOrEnd: null,
        matchers: [{ name: '__name__', type: '=', value: 'cpu_usage' }],
        anchored: false,
        smoothed: false
      })
    },
    'query=cpu_usage'
  ),
  ...byForm(
    'promqlExemplars',
    {
      summary: 'Read exemplars',
      description: 'Prometheus HTTP API. Parameters: `query`, `start`, `end`. At most 5,000 exemplars.',
      reply: success([])
    },
    'query=cpu_usage&start=2026-11-20T11:00:00Z&end=2026-11-20T12:00:00Z'
  ),
  promqlRules: {
    summary: 'List rules',
    description:
      'Prometheus HTTP API. Parameters: `type`, `rule_name[]`, `rule_group[]`, `file[]`, `exclude_alerts`. `file` is the namespace; `query` of a condition on logs, traces or absence is JSON.',
    reply: success({ groups: [] })
  },
  promqlAlerts: {
    summary: 'List alerts',
    description: 'Prometheus HTTP API. Alerts that are pending or firing.',
    reply: success({ alerts: [] })
  },
  promqlBuildInfo: {
    summary: 'Read the API version',
    description: 'Prometheus HTTP API. `version` is the version of the Prometheus API that clients can expect.',
    reply: success({ version: '3.0.0', application: 'Alidade', features: {} })
  },
  promqlHealthy: {
    summary: 'Check liveness as with Prometheus',
    description: 'Prometheus management API. Needs no credential.',
    reply: 'Alidade is Healthy.\n'
  },
  promqlReady: {
    summary: 'Check readiness as with Prometheus',
    description: 'Prometheus management API. Needs no credential. Returns 503 while a store is unavailable.',
    reply: 'Alidade is Ready.\n'
  },
  remoteWrite: {
    summary: 'Receive Prometheus remote write',
    description:
      'Remote write 1.0 and 2.0: protobuf compressed with snappy. A 204 response means that the samples survive a crash; `remote_write: [{url: https://HOST/api/v1/write, headers: {X-API-Key: KEY}}]` configures Prometheus.'
  }
}
