import type { LogPattern, PatternMerge } from '../../src/domain/log-pattern.js'
import { PatternMiner } from '../../src/ingest/patterns/pattern-miner.js'
import { MAX_PATTERNS } from '../../src/ingest/patterns/limits.js'

/** What a miner made of messages. */
export interface Mined {
  /** Id that each message was stored with. */
  readonly stored: readonly string[]
  /** Its final id, after merges. */
  readonly ids: readonly string[]
  readonly patterns: ReadonlyMap<string, LogPattern>
}

/** How messages are fed. */
export interface Feeding {
  /** Positions of the messages, in the order of arrival. */
  readonly order?: readonly number[]
  /** A new miner is restored from what was drained after so many messages. */
  readonly restartEvery?: number
}

/** Feeds messages to a miner as a gateway does: drained after every batch. */
export function mine(messages: readonly string[], { order, restartEvery = Infinity }: Feeding = {}): Mined {
  const patterns = new Map<string, LogPattern>()
  const merges: PatternMerge[] = []
  const stored: string[] = Array.from({ length: messages.length })
  let miner = new PatternMiner({ limit: MAX_PATTERNS, seed: 1 })
  const drain = (): void => {
    const changes = miner.drain()
    for (const pattern of changes.added) patterns.set(pattern.id, pattern)
    merges.push(...changes.merges)
  }
  for (let n = 0; n < messages.length; n++) {
    const at = order?.[n] ?? n
    stored[at] = miner.idOf(messages[at]!) ?? ''
    if ((n + 1) % restartEvery !== 0) continue
    drain()
    miner = new PatternMiner({ limit: MAX_PATTERNS, seed: n })
    miner.restore([...patterns.values()], merges)
  }
  drain()
  const into = new Map(merges.map(({ id, into: target }) => [id, target]))
  const current = (id: string): string => {
    let found = id
    for (let next = into.get(found); next !== undefined; next = into.get(found)) found = next
    return found
  }
  return { stored, ids: stored.map(current), patterns }
}
