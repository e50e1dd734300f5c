// What Prometheus says of native histograms that do not fit (util/annotations).

/** What put histograms together. */
export type HistogramOperation = 'addition' | 'subtraction' | 'aggregation'

/** Buckets of two kinds were to be put together. */
export function mixedSchemas(name: string): string {
  return `vector contains a mix of histograms with exponential and custom buckets schemas for metric name ${JSON.stringify(name)}`
}

/** Custom bounds differed, so that only those that all had were kept. */
export function reconciledBounds(during: HistogramOperation): string {
  return `mismatched custom buckets were reconciled during ${during}`
}

/** Some histograms said that there was a reset and others that there was none. */
export function hintCollision(during: HistogramOperation): string {
  return `conflicting counter resets during histogram ${during}`
}

/** A range has samples of both kinds. */
export function mixedSamples(name: string): string {
  return `encountered a mix of histograms and floats for metric name ${JSON.stringify(name)}`
}
