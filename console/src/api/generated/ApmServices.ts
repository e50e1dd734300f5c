/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What cut a result. */
export type CutKind =
  /** A limit on rows, groups or series. */
  | 'CAP'
  /** Lines of a log stream did not arrive, or were rejected. */
  | 'GAP'
  /** The window begins before the retention of the namespace. */
  | 'RETENTION'
  /** The store looked at a part of the records, or searches approximately. */
  | 'SAMPLE'
  /** Records wait on disk for a store that does not respond. */
  | 'SPOOLED'
  /** The store lost records or cannot read them. */
  | 'STORE';

/** Which spans of a service count as its requests. */
export type RequestRule =
  /** No span, because the service has none of these. */
  | 'NONE'
  /** Spans without a parent, because the service has no SERVER or CONSUMER spans. */
  | 'ROOT'
  /** Spans of kind SERVER and CONSUMER. */
  | 'SERVER_CONSUMER';

/** Sort key of services and operations. */
export type ServiceOrder =
  /** Highest error rate first. */
  | 'ERROR_RATE'
  /** Alphabetical order. */
  | 'NAME'
  /** Highest 95th percentile first. */
  | 'P95'
  /** Highest 99th percentile first. */
  | 'P99'
  /** Most requests first. */
  | 'RATE';

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

export type ApmServicesQueryVariables = Exact<{
  range: TimeRange;
  contains?: string | null | undefined;
  orderBy?: ServiceOrder | null | undefined;
}>;


export type ApmServicesQuery = { serviceList: { nodes: Array<{ name: string, language: string | null, version: string | null, state: ServiceState, lastSeen: string, requests: RequestRule, apdex: number | null, red: { requests: number, ratePerSecond: number, errors: number, errorRate: number, p50Ms: number | null, p95Ms: number | null, p99Ms: number | null }, redSeries: { requests: Array<number>, errors: Array<number> } | null, change: { requests: number | null, errorRate: number | null, p95: number | null } | null }>, stats: { complete: boolean, warnings: Array<string>, cuts: Array<{ kind: CutKind, detail: string, remedy: string, window: { from: string, to: string } | null }> } } | null };

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

export const ApmServicesDocument = new TypedDocumentString(`
    query ApmServices($range: TimeRange!, $contains: String, $orderBy: ServiceOrder) {
  serviceList(range: $range, contains: $contains, orderBy: $orderBy, first: 500) {
    nodes {
      name
      language
      version
      state
      lastSeen
      requests
      red(range: $range) {
        requests
        ratePerSecond
        errors
        errorRate
        p50Ms
        p95Ms
        p99Ms
      }
      redSeries(range: $range, buckets: 30) {
        requests
        errors
      }
      change(range: $range) {
        requests
        errorRate
        p95
      }
      apdex(range: $range)
    }
    stats {
      complete
      warnings
      cuts {
        kind
        detail
        remedy
        window {
          from
          to
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ApmServicesQuery, ApmServicesQueryVariables>;