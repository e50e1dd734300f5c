import { describe, expect, it } from '@jest/globals'
import { pageOfGroups } from '../../../resolvers/exception-page.js'

const group = (n: number, lastSeen: bigint) => ({ id: n.toString(16).padStart(32, '0'), lastSeen })
/** Latest first, ties by fingerprint. */
const GROUPS = [group(9, 30n), group(1, 20n), group(2, 20n), group(3, 20n), group(4, 10n)]

describe('pages of error groups', () => {
  it('follow each other without a gap or a double, also among equal times', () => {
    const seen: string[] = []
    let after: string | null = null
    for (let i = 0; i < 3; i++) {
      const page: ReturnType<typeof pageOfGroups<(typeof GROUPS)[0]>> = pageOfGroups(GROUPS, 2, after)
      seen.push(...page.nodes.map(({ id }) => id))
      expect([page.pageInfo.hasNextPage, page.pageInfo.hasPreviousPage]).toEqual([i < 2, i > 0])
      after = page.pageInfo.endCursor
    }
    expect(seen).toEqual(GROUPS.map(({ id }) => id))
    expect(pageOfGroups(GROUPS, 2, after).nodes).toEqual([])
  })

  it('go on behind a group that was seen again since', () => {
    const { endCursor } = pageOfGroups(GROUPS, 2, null).pageInfo
    const later = [group(1, 99n), ...GROUPS.filter(({ id }) => id !== group(1, 0n).id)]
    expect(pageOfGroups(later, 5, endCursor).nodes.map(({ id }) => id)).toEqual([2, 3, 4].map(n => group(n, 0n).id))
  })

  it('have 0 to 500 groups, and take only their own cursors', () => {
    expect(pageOfGroups(GROUPS, 0, null)).toMatchObject({ nodes: [], pageInfo: { hasNextPage: true, endCursor: null } })
    expect(pageOfGroups(GROUPS, 500, null).nodes).toHaveLength(5)
    expect(() => pageOfGroups(GROUPS, 501, null)).toThrow(/500/)
    for (const after of ['', 'x', '1-2', `${'9'.repeat(40)}-${'0'.repeat(32)}`]) {
      expect(() => pageOfGroups(GROUPS, 1, after)).toThrow('after is not a cursor of this list')
    }
  })
})
