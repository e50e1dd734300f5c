import { expect, it } from '@jest/globals'
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.js'
import { seriesKey } from '../../../src/domain/series-key.js'

// V8 hashes longer strings by their length alone: a map with such keys takes a time that grows with the square of their number.
const HASHED_CHARS = 16_383

it('the longest key of a series is one that V8 hashes', () => {
  const { labels, labelsChars, metricNameBytes } = DEFAULT_INGEST_LIMITS
  const each = Math.ceil(labelsChars / labels)
  const most = Array.from({ length: labels }, () => ({ name: 'n', value: 'v'.repeat(each - 1) }))
  expect(seriesKey({ name: 'm'.repeat(metricNameBytes), labels: most }).length).toBeLessThan(HASHED_CHARS)
})
