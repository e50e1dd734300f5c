import { ALERT_DOCS } from './alert-docs.js'
import { APM_DOCS } from './apm-docs.js'
import { EVENT_DOCS } from './event-docs.js'
import { EXPORT_DOCS } from './export-docs.js'
import { HOST_DOCS } from './host-docs.js'
import { IDENTITY_DOCS } from './identity-docs.js'
import { LOG_DOCS } from './log-docs.js'
import { METRIC_DOCS } from './metric-docs.js'
import { NOTIFICATION_DOCS } from './notification-docs.js'
import type { OperationDocs } from './operation-doc.js'
import { OTLP_DOCS } from './otlp-docs.js'
import { PROMETHEUS_DOCS } from './prometheus-docs.js'
import { RULE_FILE_DOCS } from './rule-file-docs.js'
import { SERVICE_DOCS } from './service-docs.js'
import { MEASURE_DOCS } from './measure-docs.js'
import { SLO_DOCS } from './slo-docs.js'
import { STREAM_DOCS } from './stream-docs.js'
import { TRACE_DOCS } from './trace-docs.js'
import { VIEW_DOCS } from './view-docs.js'

/** Documentation of all operations. */
const OPERATION_DOCS: OperationDocs = {
  ...LOG_DOCS,
  ...EXPORT_DOCS,
  ...METRIC_DOCS,
  ...PROMETHEUS_DOCS,
  ...TRACE_DOCS,
  ...APM_DOCS,
  ...ALERT_DOCS,
  ...RULE_FILE_DOCS,
  ...SLO_DOCS,
  ...STREAM_DOCS,
  ...MEASURE_DOCS,
  ...VIEW_DOCS,
  ...EVENT_DOCS,
  ...OTLP_DOCS,
  ...IDENTITY_DOCS,
  ...NOTIFICATION_DOCS,
  ...SERVICE_DOCS,
  ...HOST_DOCS
}

interface MediaType {
  readonly schema?: unknown
  readonly example?: unknown
}
type Content = Readonly<Record<string, MediaType>>

interface Response {
  readonly content?: Content
}

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly requestBody?: { readonly content: Content }
  readonly responses?: Readonly<Record<string, Response>>
}

/** The members of an OpenAPI document that carry documentation of operations. */
export interface DescribedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const JSON_TYPE = 'application/json'

function withExample(content: Content, example: unknown): Content {
  const type = JSON_TYPE in content ? JSON_TYPE : Object.keys(content)[0]!
  return { ...content, [type]: { ...content[type], example } }
}

function requestBody({ requestBody: body }: Operation, request: unknown, type: string | undefined): object {
  if (request === undefined) return body === undefined ? {} : { requestBody: body }
  const schema = { type: typeof request === 'string' ? 'string' : 'object' }
  const content = body?.content ?? { [type ?? JSON_TYPE]: { schema } }
  return { requestBody: { ...body, content: withExample(content, request) } }
}

function responses({ responses: all = {} }: Operation, reply: unknown): Operation['responses'] {
  const entries = Object.entries(all).map(([status, response]) => {
    const isSuccess = status.startsWith('2') && reply !== undefined && response.content !== undefined
    return [status, isSuccess ? { ...response, content: withExample(response.content, reply) } : response] as const
  })
  return Object.fromEntries(entries)
}

function described(operation: Operation): Operation {
  const doc = OPERATION_DOCS[operation.operationId ?? '']
  if (doc === undefined) return operation
  const { summary, description, request, requestType, reply } = doc
  const examples = { ...requestBody(operation, request, requestType), responses: responses(operation, reply) }
  return { ...operation, summary, description, ...examples }
}

function mapped<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
}

/** The document with summary, description and examples of each operation. */
export function describeOperations(document: DescribedDocument): DescribedDocument {
  return { ...document, paths: mapped(document.paths, item => mapped(item, described)) }
}
