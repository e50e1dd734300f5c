/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type HostWorkloadsQueryVariables = Exact<{
  id: string | number;
}>;


export type HostWorkloadsQuery = { host: { containers: Array<{ id: string, name: string, image: string | null, service: string | null, state: string | null, cpuPercent: number | null, memoryBytes: number | null, memoryPercent: number | null, rxBytesPerSecond: number | null, txBytesPerSecond: number | null }>, processes: Array<{ name: string, user: string | null, cpuPercent: number | null, memoryBytes: number | null }> } | null };

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

export const HostWorkloadsDocument = new TypedDocumentString(`
    query HostWorkloads($id: ID!) {
  host(id: $id) {
    containers {
      id
      name
      image
      service
      state
      cpuPercent
      memoryBytes
      memoryPercent
      rxBytesPerSecond
      txBytesPerSecond
    }
    processes(limit: 20) {
      name
      user
      cpuPercent
      memoryBytes
    }
  }
}
    `) as unknown as TypedDocumentString<HostWorkloadsQuery, HostWorkloadsQueryVariables>;