import type { FastifyInstance, FastifySchema } from 'fastify'
import { sendPrometheusErrors } from '../prometheus/send-errors.js'
import { PROMETHEUS_BASES, handleEndpoint } from '../prometheus/handle-endpoint.js'
import { type Endpoint, ENDPOINTS, type PrometheusDeps } from '../prometheus/endpoints.js'
import { readFormBodies } from '../prometheus/params.js'
import { addScope } from '../scope.js'

const SUCCESS = {
  type: 'object',
  required: ['status', 'data'],
  properties: {
    status: { const: 'success' },
    data: { description: 'Semantics of the Prometheus HTTP API.' },
    warnings: { type: 'array', items: { type: 'string' } },
    infos: { type: 'array', items: { type: 'string' } }
  }
}
const ERROR = {
  type: 'object',
  required: ['status', 'errorType', 'error'],
  properties: { status: { const: 'error' }, errorType: { type: 'string' }, error: { type: 'string' } }
}

function schemaOf({ path, operationId }: Endpoint, isForm: boolean): FastifySchema {
  const json = (schema: object, description: string) => ({ description, content: { 'application/json': { schema } } })
  const failed = json(ERROR, 'The error in the format of Prometheus.')
  return {
    operationId: isForm ? `${operationId}Form` : operationId,
    tags: ['prometheus'],
    security: [{ session: [] }, { query_key: [] }],
    ...(path.includes(':label') && {
      params: { type: 'object', required: ['label'], properties: { label: { type: 'string' } } }
    }),
    response: {
      200: json(SUCCESS, 'The response in the format of Prometheus.'),
      '4XX': failed,
      '5XX': failed
    }
  }
}

/** Registers Prometheus's HTTP API (prometheus.io/docs/prometheus/latest/querying/api), over the metrics of one namespace. */
export function prometheusRoutes(app: FastifyInstance, deps: PrometheusDeps): void {
  addScope(app, 'prometheus', scope => {
    sendPrometheusErrors(scope)
    readFormBodies(scope)
    for (const base of PROMETHEUS_BASES) {
      for (const endpoint of ENDPOINTS) {
        const url = `${base}/api/v1/${endpoint.path}`
        const schema = (isForm: boolean) => (base === PROMETHEUS_BASES[0] ? schemaOf(endpoint, isForm) : { hide: true })
        scope.get(url, { schema: schema(false) }, (req, reply) => handleEndpoint(req, reply, deps, endpoint))
        if (endpoint.takesForm)
          scope.post(url, { schema: schema(true) }, (req, reply) => handleEndpoint(req, reply, deps, endpoint))
      }
    }
  })
}
