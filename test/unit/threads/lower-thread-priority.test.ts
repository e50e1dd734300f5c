import { describe, expect, it } from '@jest/globals'
import { lowerThreadPriority } from '../../../src/threads/lower-thread-priority.js'

/** Beyond the largest id that Linux gives (2^22). */
const NO_THREAD = 2 ** 22 + 1

describe('a thread whose priority cannot be lowered', () => {
  it('goes on as before: the service does not end for it', () => {
    expect(() => lowerThreadPriority(NO_THREAD)).not.toThrow()
  })
})
