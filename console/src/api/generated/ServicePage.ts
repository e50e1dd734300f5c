/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Triage state that a member can set. */
export type ExceptionDecision =
  /** Marks the group as not actionable. */
  | 'IGNORED'
  /** Reopens the group. */
  | 'OPEN'
  /** Marks the group as fixed as of now. */
  | 'RESOLVED';

/** Triage state of an error group. */
export type ExceptionState =
  /** Marked as not actionable. */
  | 'IGNORED'
  /** New, or reopened. */
  | 'OPEN'
  /** An error occurred after the group was marked as fixed. */
  | 'REGRESSED'
  /** Marked as fixed, without later errors. */
  | 'RESOLVED';

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

/** Reason for which a mutation was rejected. */
export type UserErrorCode =
  /** The state of the object does not allow the change. */
  | 'CONFLICT'
  /** An argument is missing or out of bounds. */
  | 'INVALID'
  /** The namespace would have no admin. */
  | 'LAST_ADMIN'
  /** A quota is exhausted. */
  | 'LIMIT_REACHED'
  /** The name is reserved, for example by a deleted namespace. */
  | 'NAME_RETIRED'
  /** The object does not exist. */
  | 'NOT_FOUND'
  /** The name is already in use. */
  | 'TAKEN';

export type ServicePageQueryVariables = Exact<{
  name: string | number;
  range: TimeRange;
}>;


export type ServicePageQuery = { service: { name: string, operations: Array<{ name: string, kind: SpanKind, red: { requests: number, errorRate: number, p95Ms: number | null } }>, upstream: Array<{ source: string, red: { requests: number } }>, downstream: Array<{ target: string, protocol: string | null, red: { requests: number } }>, exceptions: Array<{ id: string, type: string, message: string, count: number, state: ExceptionState }> } | null };

export type DecideExceptionMutationVariables = Exact<{
  id: string | number;
  state: ExceptionDecision;
}>;


export type DecideExceptionMutation = { setExceptionState: { exception: { id: string, state: ExceptionState, count: number } | null, userErrors: Array<{ code: UserErrorCode, message: string }> } };

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

export const ServicePageDocument = new TypedDocumentString(`
    query ServicePage($name: ID!, $range: TimeRange!) {
  service(name: $name) {
    name
    operations(range: $range) {
      name
      kind
      red {
        requests
        errorRate
        p95Ms
      }
    }
    upstream(range: $range) {
      source
      red {
        requests
      }
    }
    downstream(range: $range) {
      target
      protocol
      red {
        requests
      }
    }
    exceptions(range: $range, first: 5) {
      id
      type
      message
      count
      state
    }
  }
}
    `) as unknown as TypedDocumentString<ServicePageQuery, ServicePageQueryVariables>;
export const DecideExceptionDocument = new TypedDocumentString(`
    mutation DecideException($id: ID!, $state: ExceptionDecision!) {
  setExceptionState(id: $id, state: $state) {
    exception {
      id
      state
      count
    }
    userErrors {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DecideExceptionMutation, DecideExceptionMutationVariables>;