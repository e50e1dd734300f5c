import type { MetricFacts } from '../../domain/metric-facts.js'
import type { Label } from '../../domain/metric-point.js'
import type { BadLine } from '../text-lines/read-lines.js'

/** An exemplar behind a sample. */
export interface TextExemplar {
  readonly labels: readonly Label[]
  readonly value: number
  /** Unix nanoseconds; null when not given. */
  readonly timestampNs: bigint | null
}

/** One sample of an exposition, unconverted. */
export interface TextSample {
  /** Line of the text, from 1. */
  readonly line: number
  readonly name: string
  readonly labels: readonly Label[]
  readonly value: number
  /** Unix nanoseconds; null when not given. */
  readonly timestampNs: bigint | null
  /** The metric family, as far as the lines before this one describe it. */
  readonly family: MetricFacts | null
  readonly exemplar: TextExemplar | null
}

/** A text that was read. */
export interface Exposition {
  /** In their order. */
  readonly items: readonly (TextSample | BadLine)[]
  readonly facts: readonly MetricFacts[]
}
