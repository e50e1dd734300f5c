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

export type AnnotationsQueryVariables = Exact<{
  range: TimeRange;
  service?: string | null | undefined;
}>;


export type AnnotationsQuery = { alertIntervals: { knownFrom: string, complete: boolean, intervals: Array<{ ruleId: string, from: string, to: string, isOpenAtStart: boolean, isOpenAtEnd: boolean, labels: Array<{ name: string, value: string }> }> } | null, serviceEvents: { nodes: Array<{ id: string, at: string, service: string | null, version: string | null, environment: string | null }>, pageInfo: { hasNextPage: boolean } } | null };

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

export const AnnotationsDocument = new TypedDocumentString(`
    query Annotations($range: TimeRange!, $service: String) {
  alertIntervals(range: $range, service: $service) {
    intervals {
      ruleId
      labels {
        name
        value
      }
      from
      to
      isOpenAtStart
      isOpenAtEnd
    }
    knownFrom
    complete
  }
  serviceEvents(range: $range, types: ["deploy"], service: $service, first: 100) {
    nodes {
      id
      at
      service
      version
      environment
    }
    pageInfo {
      hasNextPage
    }
  }
}
    `) as unknown as TypedDocumentString<AnnotationsQuery, AnnotationsQueryVariables>;