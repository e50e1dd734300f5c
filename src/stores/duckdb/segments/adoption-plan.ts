import { groupedBy } from '../../../domain/grouped-by.js'
import { isNewer, type NamedSegment, readSegmentPath } from './segment-name.js'
import type { ManifestRow } from './manifest.js'
import type { UnlistedSegment } from './unlisted-segments.js'

/** A segment on the disk, listed or not, as the plan looks at it. */
interface Member {
  readonly file: string
  readonly named: NamedSegment
  readonly rows: number
  readonly row: ManifestRow
  readonly isListed: boolean
  readonly replaces: readonly string[] | null
}

/** What the plan reads from files. */
export interface AdoptionChecks {
  /** Which segments a listed file replaced; null if it does not state it. */
  readonly markOf: (file: string) => Promise<readonly string[] | null>
  /** Those of `older` of which the first rows are in `file`, too: it was made of them. */
  readonly sourcesOf: (file: ManifestRow, older: readonly ManifestRow[]) => Promise<readonly string[]>
}

/** Files whose rows are in others, with the segment that replaced them; null for the output of a merge that failed. */
type Gone = Map<string, Member | null>

/** What becomes of segments that the manifest does not list. */
export interface AdoptionPlan {
  readonly adopt: readonly UnlistedSegment[]
  /** Their rows are in other segments. */
  readonly superseded: readonly UnlistedSegment[]
  /** Listed segments, on the disk or not, whose rows are in those that are adopted. */
  readonly replaced: readonly string[]
}

/**
 * A merge leaves the segments that it replaced on the disk for a while, and one that did not get as far as its commit leaves
 * its output there. Of each row one copy is chosen: newest segments first, each of which states what it replaces. One that does
 * not, of an earlier version, is compared with those before it: records are unique, so that a shared row shows the same.
 */
export async function planAdoption(
  unlisted: readonly UnlistedSegment[],
  listed: readonly ManifestRow[],
  requests: AdoptionChecks
): Promise<AdoptionPlan> {
  const gone: Gone = new Map()
  const groups = groupedBy(unlisted, groupOf)
  const listedGroups = groupedBy(
    listed.filter(row => groups.has(groupOf(row))),
    groupOf
  )
  for (const [group, segments] of groups) {
    const members = [
      ...segments.map(segment => ({ ...pick(segment), isListed: false, replaces: segment.replaces })),
      ...(await listedMembers(listedGroups.get(group) ?? [], requests))
    ].sort((a, b) => (isNewer(a.named, b.named) ? -1 : 1))
    for (const [i, member] of members.entries()) await settle(member, members.slice(i + 1), gone, requests)
  }
  return {
    adopt: unlisted.filter(({ file }) => !gone.has(file)),
    superseded: unlisted.filter(({ file }) => gone.has(file)),
    replaced: [...gone.keys()].filter(file => !unlisted.some(segment => segment.file === file))
  }
}

function groupOf({ ns, kind, day }: Pick<ManifestRow, 'ns' | 'kind' | 'day'>): string {
  return `${ns} ${kind} ${day}`
}

function pick(row: ManifestRow & { readonly named: NamedSegment }): Pick<Member, 'file' | 'named' | 'rows' | 'row'> {
  return { file: row.file, named: row.named, rows: row.rows, row }
}

async function listedMembers(rows: readonly ManifestRow[], { markOf }: AdoptionChecks): Promise<readonly Member[]> {
  const members: Member[] = []
  for (const row of rows) {
    const named = readSegmentPath(row.file)
    if (named) members.push({ ...pick({ ...row, named }), isListed: true, replaces: await markOf(row.file) })
  }
  return members
}

async function settle(member: Member, older: readonly Member[], gone: Gone, { sourcesOf }: AdoptionChecks): Promise<void> {
  const near = older.filter(({ row }) => row.maxNs >= member.row.minNs && row.minNs <= member.row.maxNs)
  const sources =
    member.replaces ??
    (await sourcesOf(
      member.row,
      near.map(({ row }) => row)
    ))
  if (sources.length === 0) return
  // What it was made of is in force still, or in a later segment: its transaction was not committed.
  const isRedundant =
    !member.isListed &&
    !gone.has(member.file) &&
    (areAllListed(member, sources, older, gone) || (await isInLater(member, sources, gone, sourcesOf)))
  if (isRedundant) gone.set(member.file, null)
  else for (const file of sources) if (!gone.has(file)) gone.set(file, member)
}

/**
 * Whether a later segment was made of the same ones. A merge also names files that others replaced and that were not gone yet:
 * the rows decide.
 */
async function isInLater(
  member: Member,
  sources: readonly string[],
  gone: Gone,
  sourcesOf: AdoptionChecks['sourcesOf']
): Promise<boolean> {
  if (member.replaces === null || !sources.every(file => gone.has(file))) return false
  const later = new Set(sources.flatMap(file => gone.get(file) ?? []))
  for (const { row } of later) if ((await sourcesOf(row, [member.row])).includes(member.file)) return true
  return false
}

function areAllListed(member: Member, sources: readonly string[], older: readonly Member[], gone: Gone): boolean {
  const present = older.filter(({ file, isListed }) => isListed && !gone.has(file) && sources.includes(file))
  if (member.replaces !== null) return present.length === sources.length
  return present.length === sources.length && present.reduce((sum, { rows }) => sum + rows, 0) >= member.rows
}
