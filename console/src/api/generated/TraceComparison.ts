/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** How an operation differs between two traces. */
export type OperationChange =
  /** Only the other trace has it. */
  | 'APPEARED'
  /** Its mean duration is more than 10 % longer. */
  | 'SLOWED'
  /** Its mean duration is more than 10 % shorter. */
  | 'SPED_UP'
  /** Its mean duration differs by at most 10 %. */
  | 'UNCHANGED'
  /** Only the base trace has it. */
  | 'VANISHED';

/** Role of a span in a call (OpenTelemetry `SpanKind`). */
export type SpanKind =
  /** Sends a synchronous request. */
  | 'CLIENT'
  /** Processes a message. */
  | 'CONSUMER'
  /** Operation inside the service. */
  | 'INTERNAL'
  /** Sends a message. */
  | 'PRODUCER'
  /** Handles a synchronous request. */
  | 'SERVER'
  /** The sender set no kind. */
  | 'UNSPECIFIED';

export type TraceComparisonQueryVariables = Exact<{
  base: string | number;
  other: string | number;
}>;


export type TraceComparisonQuery = { compareTraces: { base: { traceId: string, startTime: string, durationMs: number, spanCount: number }, other: { traceId: string, startTime: string, durationMs: number, spanCount: number }, operations: Array<{ service: string, operation: string, kind: SpanKind, change: OperationChange, selfTimeDeltaMs: number, base: { spans: number, errors: number, totalMs: number, meanMs: number, selfTimeMs: number } | null, other: { spans: number, errors: number, totalMs: number, meanMs: number, selfTimeMs: number } | null }> } | null };

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

export const TraceComparisonDocument = new TypedDocumentString(`
    query TraceComparison($base: ID!, $other: ID!) {
  compareTraces(base: $base, other: $other) {
    base {
      traceId
      startTime
      durationMs
      spanCount
    }
    other {
      traceId
      startTime
      durationMs
      spanCount
    }
    operations {
      service
      operation
      kind
      change
      base {
        spans
        errors
        totalMs
        meanMs
        selfTimeMs
      }
      other {
        spans
        errors
        totalMs
        meanMs
        selfTimeMs
      }
      selfTimeDeltaMs
    }
  }
}
    `) as unknown as TypedDocumentString<TraceComparisonQuery, TraceComparisonQueryVariables>;