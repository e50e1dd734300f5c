import type { ServiceDefinition } from '@grpc/grpc-js'
import type { OtlpSignal } from '../ingest/otlp-status.js'
import type { AcceptRecords } from '../ingest/ingest-request.js'
import type { Ingest } from '../ingest/ingest.js'
import type { RejectedMember } from '../otlp/reply.js'

/** One of the three services of opentelemetry/proto/collector; each has a single method, `Export`. */
export interface ExportService {
  readonly signal: OtlpSignal
  /** Path of the method. */
  readonly path: string
  readonly rejected: RejectedMember
  readonly useCase: AcceptRecords
}

/** The services of opentelemetry-proto 1.11 that are served. */
export function exportServices({ otlpLogs, otlpMetrics, otlpTraces }: Ingest): readonly ExportService[] {
  const path = (signal: string, service: string): string => `/opentelemetry.proto.collector.${signal}.v1.${service}/Export`
  return [
    { signal: 'logs', path: path('logs', 'LogsService'), rejected: 'rejectedLogRecords', useCase: otlpLogs },
    { signal: 'metrics', path: path('metrics', 'MetricsService'), rejected: 'rejectedDataPoints', useCase: otlpMetrics },
    { signal: 'traces', path: path('trace', 'TraceService'), rejected: 'rejectedSpans', useCase: otlpTraces }
  ]
}

const asIs = (bytes: Buffer): Buffer => bytes

/** The definition of a service: messages stay bytes, since our own reader decodes them. */
export function definitionOf({ path }: ExportService): ServiceDefinition {
  return {
    Export: {
      path,
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs
    }
  }
}
