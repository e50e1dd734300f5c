import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { NO_PRIORITY, ShortRequests } from '../../../src/threads/short-requests.js'

const MS = 1_000_000n

let nowNs = 5_000n * MS
beforeEach(() => void jest.spyOn(process.hrtime, 'bigint').mockImplementation(() => nowNs))
afterEach(() => void jest.restoreAllMocks())

describe('the right of way of short requests', () => {
  it('begins with a request and ends with it', () => {
    const requests = new ShortRequests()
    expect(requests.word[0]).toBe(NO_PRIORITY)
    const end = requests.begin()
    expect(requests.word[0]).toBe(nowNs + 100n * MS)
    end()
    expect(requests.word[0]).toBe(NO_PRIORITY)
  })

  it('lasts until the last one has a response, whatever their order', () => {
    const requests = new ShortRequests()
    const ends = [requests.begin(), requests.begin(), requests.begin()]
    for (const at of [1, 0]) {
      ends[at]!()
      expect(requests.word[0]).not.toBe(NO_PRIORITY)
    }
    ends[2]!()
    expect(requests.word[0]).toBe(NO_PRIORITY)
  })

  it('is not kept by requests that are no longer short', () => {
    const requests = new ShortRequests()
    const endLong = requests.begin()
    nowNs += 100n * MS
    requests.begin()()
    expect(requests.word[0]).toBe(NO_PRIORITY)
    const end = requests.begin()
    endLong()
    expect(requests.word[0]).not.toBe(NO_PRIORITY)
    end()
    expect(requests.word[0]).toBe(NO_PRIORITY)
  })
})
