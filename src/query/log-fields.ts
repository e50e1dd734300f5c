import { GatewayError } from '../domain/errors.js'
import type { Namespace } from '../domain/namespace.js'
import type { Clock } from '../ports/clock.js'
import type { LogStore } from '../ports/log-store.js'
import type { AnswerFacts, WindowBounds } from './answer.js'
import type { LogConditions } from './conditions.js'
import type { FacetAnswer, FacetQuery } from './log-query.js'
import type { LogSearch } from './log-search.js'
import type { QuerySettings } from './settings.js'

export interface FieldValuesQuery extends WindowBounds {
  readonly field: string
  readonly conditions: LogConditions
  readonly prefix?: string | undefined
  /** Only values that contain this text, letter case ignored. */
  readonly contains?: string | undefined
  readonly limit?: number | undefined
}

export interface FieldValuesAnswer extends AnswerFacts {
  readonly facet: FacetAnswer
  readonly limit: number
}

export interface FieldsQuery extends WindowBounds {
  readonly conditions: LogConditions
  readonly contains?: string | undefined
  readonly limit?: number | undefined
}

export interface FieldInfo {
  /** The name to use in filters and facets. */
  readonly name: string
  readonly type: 'string' | 'number' | 'boolean' | 'timestamp'
  readonly count: number
  readonly cardinality: number
}

export interface FieldsAnswer extends AnswerFacts {
  readonly fields: readonly FieldInfo[]
  readonly limit: number
}

export interface FacetsQuery extends WindowBounds {
  readonly conditions: LogConditions
  /** Absent: chosen by the data. */
  readonly facets?: readonly FacetQuery[] | undefined
  /** Values per facet when `facets` is absent. */
  readonly limit?: number | undefined
}

export interface FacetsAnswer extends AnswerFacts {
  readonly facets: readonly FacetAnswer[]
  /** Fields that were not counted, and why. */
  readonly skipped: readonly { readonly field: string; readonly reason: string }[]
}

export interface LogFieldsDeps {
  readonly logs: LogStore
  readonly search: LogSearch
  readonly clock: Clock
  readonly settings: QuerySettings
}

/** Which fields and values logs have: endpoints 6 to 8, facets, and `logFields`, `logFieldValues` of GraphQL. */
export class LogFields {
  readonly #deps: LogFieldsDeps

  constructor(deps: LogFieldsDeps) {
    this.#deps = deps
  }

  /** Values of one field under all conditions, its own included; most frequent first. */
  async values(_ns: Namespace, _query: FieldValuesQuery, _signal: AbortSignal): Promise<FieldValuesAnswer> {
    void this.#deps
    throw new GatewayError('not_implemented', 'not yet')
  }

  /** Fields seen in the newest matching logs, most frequent first. */
  async fields(_ns: Namespace, _query: FieldsQuery, _signal: AbortSignal): Promise<FieldsAnswer> {
    throw new GatewayError('not_implemented', 'not yet')
  }

  /** Facets of named fields, or of those that the data suggests. */
  async facets(_ns: Namespace, _query: FacetsQuery, _signal: AbortSignal): Promise<FacetsAnswer> {
    throw new GatewayError('not_implemented', 'not yet')
  }
}
