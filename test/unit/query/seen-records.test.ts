import { expect, it } from '@jest/globals'
import { recordId } from '../../../src/domain/ids.js'
import { createUlidSource } from '../../../src/domain/ulid.js'
import { SeenRecords } from '../../../src/query/log-tail/seen-records.js'

it('finds the time from which at most so many records arrived', () => {
  let nowMs = 1_000_000
  const newId = createUlidSource(
    () => nowMs,
    size => new Uint8Array(size).fill(7)
  )
  const seen = new SeenRecords()
  for (let second = 0; second < 10; second++) {
    for (let index = 0; index < 10; index++) seen.add(recordId(newId(), index))
    nowMs += 1_000
  }
  const fromMs = seen.latestFrom(35)
  expect([seen.count(fromMs), seen.count(fromMs - 1)]).toEqual([30, 40])
  expect(seen.latestFrom(100)).toBe(0)
})
