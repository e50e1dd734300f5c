/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A window of event time. */
export type TimeRange = {
  /** Start, inclusive; before `to`. */
  from: string;
  /** End, exclusive. */
  to?: string | null | undefined;
};

export type LogFieldNamesQueryVariables = Exact<{
  range: TimeRange;
  contains?: string | null | undefined;
  limit?: number | null | undefined;
}>;


export type LogFieldNamesQuery = { logFields: Array<{ name: string, count: number }> | null };

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

export const LogFieldNamesDocument = new TypedDocumentString(`
    query LogFieldNames($range: TimeRange!, $contains: String, $limit: Int = 20) {
  logFields(range: $range, contains: $contains, limit: $limit) {
    name
    count
  }
}
    `) as unknown as TypedDocumentString<LogFieldNamesQuery, LogFieldNamesQueryVariables>;