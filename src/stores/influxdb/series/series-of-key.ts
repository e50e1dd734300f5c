import type { SeriesIdentity } from '../../label-matching.js'

const COLON = ':'

/** The identity that `seriesKey` made the key of. */
export function seriesOfKey(key: string): SeriesIdentity {
  let at = 0
  const next = (): string => {
    const colon = key.indexOf(COLON, at)
    const from = colon + 1
    at = from + Number(key.slice(at, colon))
    return key.slice(from, at)
  }
  const name = next()
  const labels = []
  while (at < key.length) labels.push({ name: next(), value: next() })
  return { name, labels }
}
