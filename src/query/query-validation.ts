import { GatewayError } from '../domain/errors.js'
import { logFilter } from './conditions.js'
import { PromqlBadQuery } from './promql/promql-error.js'
import type { PromqlQuery } from './promql/promql-query.js'
import { PromqlSyntaxError } from './promql/syntax/syntax-error.js'
import { explainFilter } from './search-language/explain-filter.js'

/** A fault in a query. Positions count UTF-16 code units from 0, as editors of browsers do. */
export interface QueryFault {
  readonly message: string
  readonly from: number
  /** Exclusive; equal to `from` where something is missing at the end. */
  readonly to: number
  readonly suggestion: string | null
}

/** Whether a query can be read, and what it means. */
export interface QueryValidation {
  readonly ok: boolean
  readonly errors: readonly QueryFault[]
  /** The query in words; null for one with faults, and for PromQL. */
  readonly explanation: string | null
}

/** Languages of queries. */
export type QueryLanguage = 'search' | 'promql'

const POSITION = / \(at character \d+ of the query\)$/
/** What ends a word that is marked as a fault. */
const WORD_END = /[\s()"]/

/** From the character at fault to the end of its word. */
function stretch(text: string, at: number): Pick<QueryFault, 'from' | 'to'> {
  const from = Math.min(at, text.length)
  const length = text.slice(from + 1).search(WORD_END)
  return { from, to: length < 0 ? text.length : from + 1 + length }
}

function toFault(text: string, { message, members, suggestions }: GatewayError): QueryFault {
  const position = POSITION.test(message) ? Number(members['position']) : null
  const place = position === null ? { from: 0, to: text.length } : stretch(text, position)
  return { message: message.replace(POSITION, ''), ...place, suggestion: suggestions[0] ?? null }
}

function validateSearch(text: string): QueryValidation {
  try {
    return { ok: true, errors: [], explanation: explainFilter(logFilter({ query: text })) }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { ok: false, errors: [toFault(text, error)], explanation: null }
  }
}

function validatePromql(text: string, promql: Pick<PromqlQuery, 'parse'>): QueryValidation {
  try {
    promql.parse(text)
    return { ok: true, errors: [], explanation: null }
  } catch (error) {
    if (!(error instanceof PromqlBadQuery)) throw error
    const at = error instanceof PromqlSyntaxError ? error.at : null
    const place = at === null ? { from: 0, to: text.length } : stretch(text, at)
    return { ok: false, errors: [{ message: error.message, ...place, suggestion: null }], explanation: null }
  }
}

/** Reads queries without running them, for editors that mark faults while a person types. */
export class QueryValidator {
  readonly #promql: Pick<PromqlQuery, 'parse'>

  constructor(promql: Pick<PromqlQuery, 'parse'>) {
    this.#promql = promql
  }

  /** Faults of a query are part of the result, not errors. */
  validate(language: QueryLanguage, text: string): QueryValidation {
    return language === 'search' ? validateSearch(text) : validatePromql(text, this.#promql)
  }
}
