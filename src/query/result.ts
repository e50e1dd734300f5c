import type { ResolvedWindow } from '../domain/time-range.js'
import type { Warning } from '../domain/warning.js'

/** What every result states ("Lists" in docs/conventions.md). */
export interface ResultFacts {
  /** The requested window, resolved to absolute times. */
  readonly window: ResolvedWindow
  /** False when a cap, a timeout, a sample or the edge of the retention cut the result; `warnings` states which. */
  readonly complete: boolean
  readonly warnings: readonly Warning[]
  readonly tookMs: number
}

/** The position of a page of rows, in the form of REST. */
export interface Page {
  /** Continues after the last row; null when there is nothing more. */
  readonly nextCursor: string | null
  /** Continues before the first row; null when there is nothing before it, absent of a page that only goes forward. */
  readonly previousCursor?: string | null
  /** More rows follow after the last one. */
  readonly hasMore: boolean
  readonly limit: number
}

/** The position of a page of rows, in the form of a GraphQL connection. */
export interface ConnectionPage {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

/** A regular grid of time: bucket i covers `[startNs + i * stepNs, startNs + (i + 1) * stepNs)`. */
export interface Grid {
  readonly startNs: bigint
  /** A whole number of milliseconds. */
  readonly stepNs: bigint
  readonly length: number
}

/** Bounds of a window as the caller sent them: numbers, digits, RFC 3339 or `now-15m`; absent for the default. */
export interface WindowBounds {
  readonly start?: unknown
  readonly end?: unknown
}
