import { expect, it } from '@jest/globals'
import { errorGroupState } from '../../../src/domain/error-group.js'

it.each([
  [undefined, 5_000_000n, 'open'],
  [{ state: 'open', atMs: 5 }, 9_000_000n, 'open'],
  [{ state: 'ignored', atMs: 5 }, 9_000_000n, 'ignored'],
  [{ state: 'resolved', atMs: 5 }, 5_000_000n, 'resolved'],
  [{ state: 'resolved', atMs: 5 }, 5_000_001n, 'regressed']
] as const)('%j and an error at %s ns: %s', (decision, lastSeenNs, state) => {
  expect(errorGroupState(decision, lastSeenNs)).toBe(state)
})
