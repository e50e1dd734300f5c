import { APM_DOCS } from './apm-docs.js'
import { IDENTITY_DOCS } from './identity-docs.js'
import { LOG_DOCS } from './log-docs.js'
import { METRIC_DOCS } from './metric-docs.js'
import type { OperationDocs } from './operation-doc.js'
import { OTLP_DOCS } from './otlp-docs.js'
import { PROMETHEUS_DOCS } from './prometheus-docs.js'
import { SERVICE_DOCS } from './service-docs.js'
import { TRACE_DOCS } from './trace-docs.js'

/** Documentation of all operations. */
export const OPERATION_DOCS: OperationDocs = {
  ...LOG_DOCS,
  ...METRIC_DOCS,
  ...PROMETHEUS_DOCS,
  ...TRACE_DOCS,
  ...APM_DOCS,
  ...OTLP_DOCS,
  ...IDENTITY_DOCS,
  ...SERVICE_DOCS
}
