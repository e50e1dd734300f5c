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

export type HostDetailQueryVariables = Exact<{
  id: string | number;
}>;


export type HostDetailQuery = { host: { name: string, state: HostState, lastSeen: string, bootTime: string | null, os: string | null, arch: string | null, kernel: string | null, cpuCount: number | null, memoryBytes: number | null, cpuPercent: number | null, memoryPercent: number | null, diskPercent: number | null, labels: Array<{ name: string, value: string }>, agent: { version: string } | null } | null };

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

export const HostDetailDocument = new TypedDocumentString(`
    query HostDetail($id: ID!) {
  host(id: $id) {
    name
    state
    lastSeen
    bootTime
    os
    arch
    kernel
    cpuCount
    memoryBytes
    cpuPercent
    memoryPercent
    diskPercent
    labels {
      name
      value
    }
    agent {
      version
    }
  }
}
    `) as unknown as TypedDocumentString<HostDetailQuery, HostDetailQueryVariables>;