import { describe, expect, it } from '@jest/globals'
import { firstPageScripts, sizes } from '../../../bench/console/sizes.js'

/** Requests of the first page before its rows; browsers send six at a time. */
const MAX_FIRST_SCRIPTS = 10

describe('the built console', () => {
  it.each(sizes().map(({ what, median, goal }) => [what, median, goal] as const))(
    'keeps to its budget: %s',
    (_what, kb, goal) => {
      expect(kb).toBeGreaterThan(0)
      expect(kb).toBeLessThanOrEqual(goal)
    }
  )

  it('loads few scripts before its first rows', () => {
    expect(firstPageScripts().length).toBeLessThanOrEqual(MAX_FIRST_SCRIPTS)
  })
})
