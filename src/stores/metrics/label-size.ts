import { GatewayError } from '../../domain/errors.js'
import type { SeriesIdentity } from './label-matching.js'

/**
 * The limit of characters in the labels of all series of one read. Ten thousand series have some three million; these cross to
 * the HTTP thread.
 */
const MAX_LABEL_CHARS = 8 * 1024 * 1024

function labelChars({ name, labels }: SeriesIdentity): number {
  let chars = name.length
  for (const label of labels) chars += label.name.length + label.value.length
  return chars
}

/** How many of the series, from the first, have labels that may be read at once. */
function fitting(series: readonly SeriesIdentity[], maxChars: number): number {
  let chars = 0
  for (const [i, each] of series.entries()) {
    chars += labelChars(each)
    if (chars > maxChars) return i
  }
  return series.length
}

/** Throws `query_unsupported` if the labels of the series exceed the limit of characters of one read. */
export function checkLabelSize(series: readonly SeriesIdentity[], maxChars = MAX_LABEL_CHARS): void {
  if (fitting(series, maxChars) === series.length) return
  const detail = `the labels of the matching series exceed the limit of ${maxChars} characters; add a label matcher`
  throw new GatewayError('query_unsupported', detail)
}

/** The first of the series, up to a limit of series and the limit of characters of one read. */
export function firstSeries<Series extends SeriesIdentity>(
  series: readonly Series[],
  limit: number,
  maxChars = MAX_LABEL_CHARS
): { readonly first: readonly Series[]; readonly hasMore: boolean } {
  const first = series.slice(0, fitting(series.slice(0, limit), maxChars))
  return { first, hasMore: first.length < series.length }
}
