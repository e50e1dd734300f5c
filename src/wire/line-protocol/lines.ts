import type { Label } from '../../domain/metric-point.js'

/** A numeric field of a line. */
export interface LineField {
  readonly key: string
  /** Booleans are 1 and 0; integers beyond 2^53 the nearest double, as every sample is one. */
  readonly value: number
}

/** One point of line protocol, unconverted. */
export interface ProtocolLine {
  /** Line of the body, from 1. */
  readonly line: number
  readonly measurement: string
  readonly tags: readonly Label[]
  readonly fields: readonly LineField[]
  /** Fields whose value is a string: they are not samples. */
  readonly strings: number
  /** In units of the request's precision; null when not given. */
  readonly time: bigint | null
}
