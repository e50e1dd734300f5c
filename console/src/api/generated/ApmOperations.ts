/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

export type ApmOperationsQueryVariables = Exact<{
  name: string | number;
  range: TimeRange;
}>;


export type ApmOperationsQuery = { service: { operations: Array<{ name: string, kind: SpanKind, red: { requests: number, ratePerSecond: number, errorRate: number, p50Ms: number | null, p95Ms: number | null, p99Ms: number | null } }> } | null };

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

export const ApmOperationsDocument = new TypedDocumentString(`
    query ApmOperations($name: ID!, $range: TimeRange!) {
  service(name: $name) {
    operations(range: $range, first: 100) {
      name
      kind
      red {
        requests
        ratePerSecond
        errorRate
        p50Ms
        p95Ms
        p99Ms
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ApmOperationsQuery, ApmOperationsQueryVariables>;