import { describe, expect, it } from '@jest/globals'
import { stepBack } from '../../../src/threads/step-back.js'

/** Beyond the largest id that Linux gives (2^22). */
const NO_THREAD = 2 ** 22 + 1

describe('a thread that cannot step back', () => {
  it('goes on as before: the service does not end for it', () => {
    expect(() => stepBack(NO_THREAD)).not.toThrow()
  })
})
