import { GatewayError } from '../src/domain/errors.js'
import { pageSize, type SimpleConnection, toConnection } from './page.js'

const DEFAULT_GROUPS = 50
const CURSOR = /^(\d{1,19})-([0-9a-f]{32})$/

/** What the list is sorted by: the time at which the group was last seen, then its fingerprint. */
interface GroupPlace {
  readonly id: string
  readonly lastSeen: bigint
}

function cursorOf({ id, lastSeen }: GroupPlace): string {
  return `${lastSeen}-${id}`
}

function isAfter(group: GroupPlace, { id, lastSeen }: GroupPlace): boolean {
  return group.lastSeen === lastSeen ? group.id > id : group.lastSeen < lastSeen
}

function parseCursor(after: string): GroupPlace {
  const [, lastSeen, id] = CURSOR.exec(after) ?? []
  if (lastSeen === undefined || id === undefined)
    throw new GatewayError('invalid_field', 'after is not a cursor of this list', { field: 'after' })
  return { id, lastSeen: BigInt(lastSeen) }
}

/**
 * A page out of all groups, latest first, ties by fingerprint. The cursor holds a place in that order, not a group: it
 * remains valid when its group was seen again and moved to the front.
 */
export function pageOfGroups<Group extends GroupPlace>(
  groups: readonly Group[],
  first: number | null | undefined,
  after: string | null | undefined
): SimpleConnection<Group> {
  const size = pageSize(first, DEFAULT_GROUPS)
  const place = after == null ? null : parseCursor(after)
  const rest = place === null ? groups : groups.filter(group => isAfter(group, place))
  return toConnection(rest.slice(0, size), { hasMore: rest.length > size, after }, cursorOf)
}
