import { expect, it } from '@jest/globals'
import { paintDelays } from '../../bench/console/stories.js'

const line = (id: string | null, durationMs = 0): string => JSON.stringify({ id, durationMs })

it('counts each interaction once, by its slowest event, and those that are not reported as 16 ms', () => {
  const lines = [line(null), line(null), line('a 1', 24), line('a 1', 40), line(null), line('b 1', 16), '']
  expect(paintDelays(lines)).toEqual([16, 16, 40])
})
