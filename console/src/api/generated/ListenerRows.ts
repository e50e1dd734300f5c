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

/** Age class of the latest log, span or sample of a host. */
export type HostState =
  /** At most 5 minutes. */
  | 'ACTIVE'
  /** More than 24 hours. */
  | 'GONE'
  /** More than 5 minutes, at most 24 hours. */
  | 'STALE';

export type ListenerRowsQueryVariables = Exact<{ [key: string]: never; }>;


export type ListenerRowsQuery = { listenerPage: { nodes: Array<{ id: string, state: HostState, address: string, port: number, protocol: string, process: string | null, command: string | null, exe: string | null, service: string | null, firstSeen: string, lastSeen: string, host: { name: string, state: HostState } }>, stats: { tookMs: number, complete: boolean, warnings: Array<string>, cuts: Array<{ kind: CutKind, detail: string, remedy: string }> } } | null };

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

export const ListenerRowsDocument = new TypedDocumentString(`
    query ListenerRows {
  listenerPage(first: 5000) {
    nodes {
      id
      host {
        name
        state
      }
      state
      address
      port
      protocol
      process
      command
      exe
      service
      firstSeen
      lastSeen
    }
    stats {
      tookMs
      complete
      warnings
      cuts {
        kind
        detail
        remedy
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ListenerRowsQuery, ListenerRowsQueryVariables>;