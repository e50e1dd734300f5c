/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Which spans of a service count as its requests. */
export type RequestRule =
  /** No span, because the service has none of these. */
  | 'NONE'
  /** Spans without a parent, because the service has no SERVER or CONSUMER spans. */
  | 'ROOT'
  /** Spans of kind SERVER and CONSUMER. */
  | 'SERVER_CONSUMER';

/** Kind of a node in the service map. */
export type ServiceNodeKind =
  /** Peer named by `db.system.name`. */
  | 'DATABASE'
  /** Other peer, named for example by `server.address`. */
  | 'EXTERNAL'
  /** Peer named by `messaging.system`. */
  | 'QUEUE'
  /** Sends spans with its own `service.name`. */
  | 'SERVICE';

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

export type ServiceOverviewQueryVariables = Exact<{
  range: TimeRange;
}>;


export type ServiceOverviewQuery = { services: Array<{ name: string, language: string | null, version: string | null, state: ServiceState, lastSeen: string, requests: RequestRule, apdex: number | null, red: { requests: number, ratePerSecond: number, errors: number, errorRate: number, p50Ms: number | null, p95Ms: number | null, p99Ms: number | null }, redSeries: { requests: Array<number>, errors: Array<number>, grid: { start: string, stepMs: number, length: number } } | null, change: { requests: number | null, errorRate: number | null, p95: number | null } | null }> | null, serviceMap: { nodes: Array<{ id: string, name: string, kind: ServiceNodeKind, red: { requests: number, errors: number } }>, edges: Array<{ source: string, target: string, protocol: string | null, red: { requests: number, errors: number, p95Ms: number | null } }>, stats: { complete: boolean, warnings: Array<string> } } | null };

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

export const ServiceOverviewDocument = new TypedDocumentString(`
    query ServiceOverview($range: TimeRange!) {
  services(range: $range, orderBy: RATE) {
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
      grid {
        start
        stepMs
        length
      }
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
  serviceMap(range: $range) {
    nodes {
      id
      name
      kind
      red {
        requests
        errors
      }
    }
    edges {
      source
      target
      protocol
      red {
        requests
        errors
        p95Ms
      }
    }
    stats {
      complete
      warnings
    }
  }
}
    `) as unknown as TypedDocumentString<ServiceOverviewQuery, ServiceOverviewQueryVariables>;