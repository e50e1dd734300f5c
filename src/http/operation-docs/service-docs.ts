import type { OperationDocs } from './operation-doc.js'

/** Operations about the service itself, and GraphQL. */
export const SERVICE_DOCS: OperationDocs = {
  graphql: {
    summary: 'Execute a GraphQL operation',
    description:
      'Introspection is enabled. Errors carry the codes of the REST interface in `extensions.code`. `documentId` selects a persisted operation instead of `query`.',
    request: { query: '{ viewer { namespace { name } } }' },
    requestType: 'application/json',
    reply: { data: { viewer: { namespace: { name: 'default' } } } }
  },
  getOpenApi: {
    summary: 'Read the OpenAPI document',
    description: 'This document, OpenAPI 3.1. Needs no credential.',
    reply: { openapi: '3.1.0', info: { title: 'Alidade', version: '0.1.0' }, paths: {} }
  },
  getLimits: {
    summary: 'Read the limits in force',
    description: 'Limits by area; sizes in bytes, times in milliseconds. Needs no credential.',
    reply: { ingest: { body_bytes: 10_485_760, batch_records: 10_000 }, query: { default_rows: 100, max_rows: 5_000 } }
  },
  getLiveness: {
    summary: 'Check liveness',
    description: 'Returns 200 while the process accepts requests. Needs no credential.',
    reply: { status: 'live' }
  },
  getReadiness: {
    summary: 'Check readiness',
    description:
      '`degraded` (200): reads of a store fail while writes are spooled, a file is damaged, or a background job fails repeatedly. 503: writes fail, or the service is stopping. Needs no credential.',
    reply: { status: 'ready', stores: [{ name: 'duckdb', healthy: true, latency_ms: 1.4, detail: '' }], failing_jobs: [] }
  },
  getServiceMetrics: {
    summary: 'Scrape the metrics of the service',
    description: 'Prometheus text format. No namespace name appears. `metrics_access` decides who can read it.',
    reply:
      '# HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.\n# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total 12.3\n'
  }
}
