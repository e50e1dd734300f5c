import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import protobuf from 'protobufjs'
import type { Type } from 'protobufjs'

/** Where the definitions of opentelemetry-proto are next to the repository. */
const FOLDER = fileURLToPath(new URL('../../../shared/suites/otlp/', import.meta.url))
const COMPILED = fileURLToPath(new URL('../../../../shared/suites/otlp/', import.meta.url))

/** The three kinds of requests. */
export interface OtlpTypes {
  readonly logs: Type
  readonly metrics: Type
  readonly traces: Type
}

/** The request types of opentelemetry-proto as protobufjs has them; null where the definitions are not next to the repository. */
export function loadOtlpTypes(): OtlpTypes | null {
  const folder = [FOLDER, COMPILED].find(path => existsSync(path))
  if (folder === undefined) return null
  const root = new protobuf.Root()
  root.resolvePath = (_, target) => join(folder, target)
  const collector = 'opentelemetry/proto/collector'
  root.loadSync(['logs', 'metrics', 'trace'].map(signal => `${collector}/${signal}/v1/${signal}_service.proto`))
  root.resolveAll()
  const type = (name: string): Type => root.lookupType(`opentelemetry.proto.collector.${name}`)
  return {
    logs: type('logs.v1.ExportLogsServiceRequest'),
    metrics: type('metrics.v1.ExportMetricsServiceRequest'),
    traces: type('trace.v1.ExportTraceServiceRequest')
  }
}
