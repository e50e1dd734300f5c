/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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

export type TraceMapQueryVariables = Exact<{
  traceId: string | number;
}>;


export type TraceMapQuery = { trace: { serviceMap: { nodes: Array<{ id: string, kind: ServiceNodeKind, name: string }>, edges: Array<{ source: string, target: string, protocol: string | null, red: { requests: number, errors: number, p95Ms: number | null } }>, stats: { tookMs: number, complete: boolean, warnings: Array<string> } } } | null };

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

export const TraceMapDocument = new TypedDocumentString(`
    query TraceMap($traceId: ID!) {
  trace(traceId: $traceId) {
    serviceMap {
      nodes {
        id
        kind
        name
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
        tookMs
        complete
        warnings
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TraceMapQuery, TraceMapQueryVariables>;