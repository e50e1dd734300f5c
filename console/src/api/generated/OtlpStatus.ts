/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** State of an OTLP protocol and signal. */
export type OtlpState =
  /** No request since the start of the gateway. */
  | 'NEVER'
  /** The latest request was accepted. */
  | 'RECEIVING'
  /** The latest request was rejected, in whole or in part. */
  | 'REJECTING'
  /** No request in the last 5 minutes. */
  | 'STALE';

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

export type OtlpStatusQueryVariables = Exact<{ [key: string]: never; }>;


export type OtlpStatusQuery = { otlpStatus: { spansPerSecond: number, logsPerSecond: number, pointsPerSecond: number, services: Array<string>, endpoints: Array<{ protocol: string, url: string | null, accepting: boolean, lastReceivedAt: string | null, received: number, rejected: number, lastError: string | null }>, channels: Array<{ protocol: string, signal: string, state: OtlpState, records: number, rejectedRecords: number, lastAcceptedAt: string | null, lastRejectedAt: string | null, lastRejection: string | null, sdk: string | null, clockSkewMs: number | null, withoutService: number }> } | null };

export type SendTestSpanMutationVariables = Exact<{ [key: string]: never; }>;


export type SendTestSpanMutation = { sendTestSpan: { span: { traceId: string, readable: boolean, tookMs: number } | null, userErrors: Array<{ code: UserErrorCode, message: string, field: Array<string> | null }> } };

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

export const OtlpStatusDocument = new TypedDocumentString(`
    query OtlpStatus {
  otlpStatus {
    endpoints {
      protocol
      url
      accepting
      lastReceivedAt
      received
      rejected
      lastError
    }
    channels {
      protocol
      signal
      state
      records
      rejectedRecords
      lastAcceptedAt
      lastRejectedAt
      lastRejection
      sdk
      clockSkewMs
      withoutService
    }
    spansPerSecond
    logsPerSecond
    pointsPerSecond
    services
  }
}
    `) as unknown as TypedDocumentString<OtlpStatusQuery, OtlpStatusQueryVariables>;
export const SendTestSpanDocument = new TypedDocumentString(`
    mutation SendTestSpan {
  sendTestSpan {
    span {
      traceId
      readable
      tookMs
    }
    userErrors {
      code
      message
      field
    }
  }
}
    `) as unknown as TypedDocumentString<SendTestSpanMutation, SendTestSpanMutationVariables>;