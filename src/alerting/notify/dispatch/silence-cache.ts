import { LRUCache } from 'lru-cache'
import type { Silence } from '../../../domain/alerts/silence.js'
import type { Label } from '../../../domain/metric-point.js'
import { compileMatchers, type LabelTest, parseMatchers } from '../route/matchers.js'

/** Silences whose compiled matchers are kept. */
const MAX_CACHED = 2_000

/** Compiles the matchers of each state of a silence once. */
export class SilenceCache {
  readonly #cached = new LRUCache<string, LabelTest>({ max: MAX_CACHED })

  /** Whether one of the silences that are active at this time matches labels. */
  testOf(silences: readonly Silence[], nowMs: number): (labels: readonly Label[]) => boolean {
    const active = silences.filter(({ startsAtMs, endsAtMs }) => startsAtMs <= nowMs && nowMs < endsAtMs)
    return labels => active.some(silence => this.#matchersOf(silence)(labels))
  }

  #matchersOf(silence: Silence): LabelTest {
    const key = `${silence.namespaceId} ${silence.id} ${silence.matchers.join('\n')}`
    const known = this.#cached.get(key)
    if (known) return known
    const test = compileMatchers(parseMatchers(silence.matchers, 'matchers'))
    this.#cached.set(key, test)
    return test
  }
}
