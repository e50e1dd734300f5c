/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Severity range of the OpenTelemetry logs data model. */
export type LogLevel =
  /** Severity numbers 5 to 8. */
  | 'DEBUG'
  /** Severity numbers 17 to 20. */
  | 'ERROR'
  /** Severity numbers 21 to 24. */
  | 'FATAL'
  /** Severity numbers 9 to 12. */
  | 'INFO'
  /** Severity numbers 1 to 4. */
  | 'TRACE'
  /** No level, or an unrecognized one. */
  | 'UNKNOWN'
  /** Severity numbers 13 to 16. */
  | 'WARN';

export type LogDetailQueryVariables = Exact<{
  id: string | number;
}>;


export type LogDetailQuery = { log: { id: string, timestamp: string, receivedAt: string, level: LogLevel, levelText: string | null, service: string | null, host: string | null, source: string | null, message: string, traceId: string | null, spanId: string | null, patternId: string | null, fields: Record<string, unknown>, tags: Record<string, unknown>, surrounding: Array<{ id: string, timestamp: string, level: LogLevel, message: string }>, trace: { traceId: string, durationMs: number, spanCount: number, errorCount: number } | null, span: { spanId: string, service: string, operation: string, durationMs: number } | null } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const LogDetailDocument = new TypedDocumentString(`
    query LogDetail($id: ID!) {
  log(id: $id) {
    id
    timestamp
    receivedAt
    level
    levelText
    service
    host
    source
    message
    traceId
    spanId
    patternId
    fields
    tags
    surrounding(before: 5, after: 5) {
      id
      timestamp
      level
      message
    }
    trace {
      traceId
      durationMs
      spanCount
      errorCount
    }
    span {
      spanId
      service
      operation
      durationMs
    }
  }
}
    `) as unknown as TypedDocumentString<LogDetailQuery, LogDetailQueryVariables>;