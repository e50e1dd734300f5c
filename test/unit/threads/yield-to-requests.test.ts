import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { YieldToRequests, NO_PRIORITY } from '../../../src/threads/short-requests.js'

const MS = 1_000_000n
const EXPECTED = (): boolean => true

let nowNs = 0n
let waitedMs: number[] = []
const word = new BigInt64Array(new SharedArrayBuffer(8))

/** The clock moves only during waits, which take all of their time. */
beforeEach(() => {
  nowNs = 1_000n * MS
  waitedMs = []
  word[0] = NO_PRIORITY
  jest.spyOn(process.hrtime, 'bigint').mockImplementation(() => nowNs)
  jest.spyOn(Atomics, 'wait').mockImplementation((_array, _index, _value, ms) => {
    waitedMs.push(ms!)
    nowNs += BigInt(ms!) * MS
    return 'timed-out'
  })
})
afterEach(() => void jest.restoreAllMocks())

function sum(all: readonly number[]): number {
  return all.reduce((a, b) => a + b, 0)
}

describe('work that yields to requests', () => {
  it('goes on while no one has the right of way', () => {
    const work = new YieldToRequests(word)
    nowNs += 10_000n * MS
    work.wait(EXPECTED)
    expect(waitedMs).toEqual([])
  })

  it('goes on while it is short itself', () => {
    const work = new YieldToRequests(word)
    nowNs += 100n * MS
    word[0] = nowNs + 100n * MS
    work.wait(EXPECTED)
    expect(waitedMs).toEqual([])
  })

  it('waits until the right of way ends', () => {
    const work = new YieldToRequests(word)
    nowNs += 1_000n * MS
    word[0] = nowNs + 35n * MS
    work.wait(EXPECTED)
    expect(waitedMs).toEqual([10, 10, 10, 5])
  })

  it('goes on as soon as the requests have responses', () => {
    const work = new YieldToRequests(word)
    nowNs += 1_000n * MS
    word[0] = nowNs + 100n * MS
    jest.mocked(Atomics.wait).mockImplementationOnce(() => {
      word[0] = NO_PRIORITY
      return 'ok'
    })
    work.wait(EXPECTED)
    expect(jest.mocked(Atomics.wait)).toHaveBeenCalledTimes(1)
  })

  it('waits for at most half of its time, whatever comes', () => {
    const work = new YieldToRequests(word)
    word[0] = nowNs + 3_600_000n * MS
    for (let turn = 0; turn < 1_000; turn++) {
      nowNs += 3n * MS
      work.wait(EXPECTED)
    }
    expect(sum(waitedMs)).toBe(3_000 - 100)
  })

  it('does not wait for what no one wants any more', () => {
    const work = new YieldToRequests(word)
    nowNs += 1_000n * MS
    word[0] = nowNs + 100n * MS
    let looks = 0
    work.wait(() => ++looks < 3)
    expect(waitedMs).toEqual([10, 10])
  })
})
