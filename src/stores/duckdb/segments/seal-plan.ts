import type { NamespaceId } from '../../../domain/ids.js'

/** The rows of one namespace and day that are in the hot tier and may be sealed. */
export interface HotGroup {
  readonly ns: NamespaceId
  readonly day: number
  readonly rows: number
  readonly minNs: bigint
  readonly maxNs: bigint
  /** Since when its oldest rows wait, Unix milliseconds. */
  readonly sinceMs: number
}

/** When waiting ends. */
export interface SealRules {
  readonly minSegmentRows: number
  readonly maxWaitingRows: number
  readonly sealAgeMs: number
  readonly nowMs: number
  /** Nothing may wait. */
  readonly isForced: boolean
}

/** Which groups become files now and which wait for more rows: one file a group, so that small ones do not make thousands. */
export function planSeal(
  groups: readonly HotGroup[],
  rules: SealRules
): { readonly seal: readonly HotGroup[]; readonly wait: readonly HotGroup[] } {
  const isDue = ({ rows, sinceMs }: HotGroup): boolean =>
    rules.isForced || rows >= rules.minSegmentRows || rules.nowMs - sinceMs >= rules.sealAgeMs
  const seal = groups.filter(isDue)
  const wait = groups.filter(group => !isDue(group)).sort((a, b) => b.rows - a.rows)
  let waitingRows = wait.reduce((sum, { rows }) => sum + rows, 0)
  while (waitingRows > rules.maxWaitingRows) {
    const largest = wait.shift()!
    seal.push(largest)
    waitingRows -= largest.rows
  }
  return { seal, wait }
}
