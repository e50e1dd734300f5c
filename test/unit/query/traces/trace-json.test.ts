import { expect, it } from '@jest/globals'
import type { TraceSummary } from '../../../../src/domain/span.js'
import { summaryJson } from '../../../../src/http/read-json/trace-json.js'

const SUMMARY: Omit<TraceSummary, 'durationNs'> = {
  traceId: '00000000000000000000000000000001',
  startNs: 0n,
  rootService: null,
  rootOperation: null,
  spanCount: 1,
  errorSpanCount: 0,
  services: [],
  hasMissingSpans: false
}

it.each<[string, bigint, number | string]>([
  ['a second', 1_000_000_000n, 1_000_000_000],
  ['the longest that a double holds', 9_007_199_254_740_991n, 9_007_199_254_740_991],
  ['a nanosecond more', 9_007_199_254_740_992n, '9007199254740992'],
  ['two hundred days and a nanosecond', 17_280_000_000_000_001n, '17280000000000001']
])('shows a trace of %s to the nanosecond', (_length, durationNs, shown) => {
  expect(summaryJson({ ...SUMMARY, durationNs })['duration_ns']).toBe(shown)
})
