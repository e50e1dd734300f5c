import { goQuoted } from '../go-quote.js'

// Prometheus's annotations about native histograms that do not match (util/annotations).

/** What put histograms together. */
export type HistogramOperation = 'addition' | 'subtraction' | 'aggregation'

/** Buckets of two kinds were to be put together. */
export function mixedSchemas(name: string): string {
  return `vector contains a mix of histograms with exponential and custom buckets schemas for metric name ${goQuoted(name)}`
}

/** Custom bounds differed, so that only those that all had were kept. */
export function reconciledBounds(during: HistogramOperation): string {
  return `mismatched custom buckets were reconciled during ${during}`
}

/** Some histograms are marked as after a reset and others as not. */
export function hintCollision(during: HistogramOperation): string {
  return `conflicting counter resets during histogram ${during}`
}

/** A range has samples of both kinds. */
export function mixedSamples(name: string): string {
  return `encountered a mix of histograms and floats for metric name ${goQuoted(name)}`
}

/** Numbers are the only samples of a range that a function looks at, but there are others. */
export function ignoredInMixedRange(name: string): string {
  return `ignored histograms in a range containing both floats and histograms for metric name ${goQuoted(name)}`
}

/** A function of counters was applied to a gauge. */
export function notCounter(name: string): string {
  return `this native histogram metric is not a counter: ${goQuoted(name)}`
}

/** A function of gauges was applied to another type. */
export function notGauge(name: string): string {
  return `this native histogram metric is not a gauge: ${goQuoted(name)}`
}
