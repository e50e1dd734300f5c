/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Age class of the latest log, span or sample of a host. */
export type HostState =
  /** At most 5 minutes. */
  | 'ACTIVE'
  /** More than 24 hours. */
  | 'GONE'
  /** More than 5 minutes, at most 24 hours. */
  | 'STALE';

export type HostUsageQueryVariables = Exact<{
  contains?: string | null | undefined;
  states?: Array<HostState> | HostState | null | undefined;
  after?: string | null | undefined;
}>;


export type HostUsageQuery = { hostPage: { nodes: Array<{ name: string, cpuPercent: number | null, memoryPercent: number | null, diskPercent: number | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

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

export const HostUsageDocument = new TypedDocumentString(`
    query HostUsage($contains: String, $states: [HostState!], $after: String) {
  hostPage(contains: $contains, states: $states, first: 100, after: $after) {
    nodes {
      name
      cpuPercent
      memoryPercent
      diskPercent
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<HostUsageQuery, HostUsageQueryVariables>;