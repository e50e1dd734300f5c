import type { NamespaceId } from '../../../domain/ids.js'
import type { Clock } from '../../../ports/clock.js'
import type { StorePlaces } from '../../../ports/series-catalog.js'
import type { Buckets } from '../client/buckets.js'
import type { BucketLosses } from './bucket-losses.js'
import { DROPPED, PLACES } from './place-names.js'

/** Balancers check health often. */
const FRESH_MS = 2_000
/** How long health reports a bucket that was deleted and created again. */
const LOSS_REPORTED_MS = 7 * 86_400_000
const MAX_NAMED = 5
const LOST = 'deleted outside of the service; its records are lost'

/** Remarks on the buckets: for everybody, and with names for operators; empty if all is well. */
export interface BucketRemarks {
  readonly detail: string
  readonly diagnosis: string
}

/** What the inspector works with. */
export interface InspectorOptions {
  readonly places: StorePlaces
  readonly buckets: Pick<Buckets, 'names'>
  readonly losses: BucketLosses
  readonly clock: Clock
  /** The name of a namespace, for operators; its id when it has none. */
  readonly nameOf: (ns: NamespaceId) => string
}

/** Compares the buckets that were given to namespaces with those of InfluxDB. */
export class BucketInspector {
  readonly #options: InspectorOptions
  #remarks: Promise<BucketRemarks> | null = null
  #atMs = -Infinity

  constructor(options: InspectorOptions) {
    this.#options = options
  }

  /** What is wrong with our buckets; notes those that are gone. Callers within two seconds share one look. */
  remarks(): Promise<BucketRemarks> {
    const nowMs = this.#options.clock.monotonicMs()
    if (this.#remarks && nowMs - this.#atMs < FRESH_MS) return this.#remarks
    this.#atMs = nowMs
    const looking = this.#look()
    // The failure reaches every caller of this look; the next one looks again.
    looking.catch(() => {
      if (this.#remarks === looking) this.#remarks = null
    })
    return (this.#remarks = looking)
  }

  async #look(): Promise<BucketRemarks> {
    const { places, buckets, losses, clock } = this.#options
    // The table before the buckets: what is given and made in between is there.
    const given = await places.all(PLACES)
    await losses.read()
    const present = await buckets.names()
    await this.#note(given, present)
    const nowMs = clock.nowMs()
    const dropped = await places.all(DROPPED)
    const reported = [...given].filter(([ns, bucket]) => {
      const lostAtMs = losses.lost.get(ns)
      const isGone = losses.wasMade(ns) && !present.has(bucket)
      return !dropped.has(ns) && (isGone || (lostAtMs !== undefined && nowMs - lostAtMs < LOSS_REPORTED_MS))
    })
    return this.#sentences(reported)
  }

  async #note(given: ReadonlyMap<NamespaceId, string>, present: ReadonlySet<string>): Promise<void> {
    const { losses } = this.#options
    const gone = new Set<string>()
    for (const [ns, bucket] of given) {
      if (present.has(bucket)) await losses.noteMade(ns)
      else if (losses.wasMade(ns) && !losses.lost.has(ns)) gone.add(bucket)
    }
    for (const bucket of gone) await losses.noteLost(bucket)
  }

  #sentences(reported: readonly (readonly [NamespaceId, string])[]): BucketRemarks {
    const buckets = [...new Set(reported.map(([, bucket]) => bucket))]
    if (buckets.length === 0) return { detail: '', diagnosis: '' }
    const detail = `${buckets.length} of our buckets: ${LOST}`
    const namespaces = reported.slice(0, MAX_NAMED).map(([ns]) => this.#options.nameOf(ns))
    const names = `${buckets.slice(0, MAX_NAMED).join(', ')}; namespaces: ${namespaces.join(', ')}`
    return { detail, diagnosis: `${detail} (${names})` }
  }
}
