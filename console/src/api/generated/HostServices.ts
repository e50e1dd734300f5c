/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Age class of the latest span of a service. */
export type ServiceState =
  /** At most 5 minutes. */
  | 'ACTIVE'
  /** More than 24 hours. */
  | 'GONE'
  /** More than 5 minutes, at most 24 hours. */
  | 'STALE';

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

export type HostServicesQueryVariables = Exact<{
  id: string | number;
  range: TimeRange;
}>;


export type HostServicesQuery = { host: { services: Array<{ name: string, state: ServiceState, red: { requests: number, ratePerSecond: number, errorRate: number, p95Ms: number | null } }> } | null };

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

export const HostServicesDocument = new TypedDocumentString(`
    query HostServices($id: ID!, $range: TimeRange!) {
  host(id: $id) {
    services {
      name
      state
      red(range: $range) {
        requests
        ratePerSecond
        errorRate
        p95Ms
      }
    }
  }
}
    `) as unknown as TypedDocumentString<HostServicesQuery, HostServicesQueryVariables>;