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

/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

export type ApmMapQueryVariables = Exact<{
  range: TimeRange;
  service?: string | number | null | undefined;
  depth?: number | null | undefined;
}>;


export type ApmMapQuery = { serviceMap: { nodes: Array<{ id: string, name: string, kind: ServiceNodeKind, red: { requests: number, errorRate: number, p95Ms: number | null } }>, edges: Array<{ source: string, target: string, protocol: string | null, red: { requests: number, ratePerSecond: number, errorRate: number, p95Ms: number | null } }>, stats: { complete: boolean, warnings: Array<string>, cuts: Array<{ kind: CutKind, detail: string, remedy: string, window: { from: string, to: string } | null }> } } | null };

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

export const ApmMapDocument = new TypedDocumentString(`
    query ApmMap($range: TimeRange!, $service: ID, $depth: Int) {
  serviceMap(range: $range, service: $service, depth: $depth) {
    nodes {
      id
      name
      kind
      red {
        requests
        errorRate
        p95Ms
      }
    }
    edges {
      source
      target
      protocol
      red {
        requests
        ratePerSecond
        errorRate
        p95Ms
      }
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
    `) as unknown as TypedDocumentString<ApmMapQuery, ApmMapQueryVariables>;