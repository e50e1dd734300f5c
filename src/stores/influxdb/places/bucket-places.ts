import { GatewayError } from '../../../domain/errors.js'
import type { NamespaceId } from '../../../domain/ids.js'
import type { Clock } from '../../../ports/clock.js'
import type { StorePlaces } from '../../../ports/series-catalog.js'
import type { Buckets } from '../client/buckets.js'
import type { BucketLosses } from './bucket-losses.js'
import { DROPPED, PLACES } from './place-names.js'

const HOUR_S = 3_600
/** How much longer than the namespace its bucket keeps: clocks may differ so much without a point being refused there. */
const SLACK_S = HOUR_S

/**
 * The retention of a namespace's bucket in seconds, 0 forever. It frees the disk; what a reader sees and a writer may
 * write is bounded by the namespace's own retention.
 */
function retentionSeconds(keptMs: number | null): number {
  return keptMs === null ? 0 : Math.ceil(keptMs / 1000) + SLACK_S
}

/** The location of the points of a namespace. */
export interface BucketPlace {
  readonly bucket: string
  /** The namespace when it shares the bucket with others: the tag of its points and a condition of every read. */
  readonly pooledNs: NamespaceId | null
}

/** What the places work with. */
export interface PlacesOptions {
  readonly places: StorePlaces
  readonly buckets: Buckets
  readonly losses: BucketLosses
  readonly clock: Clock
  /** Milliseconds that points of the namespace are kept, null forever. */
  readonly retentionOf: (ns: NamespaceId) => number | null
  readonly poolBucket: string
  readonly maxDedicated: number
  /** How long the word of the shared table holds; null when no other process writes to it. */
  readonly refreshMs: number | null
}

interface KnownPlace extends BucketPlace {
  /** The retention that the bucket was last given; null before it was looked at. */
  ruleSeconds: number | null
  checkedAtMs: number
}

function dedicatedBucket(ns: NamespaceId): string {
  return `ns_${ns}`
}

/** Which bucket a namespace is in: a place is given once and stays, whatever its neighbors do. */
export class BucketPlaces {
  readonly #options: PlacesOptions
  readonly #known = new Map<NamespaceId, KnownPlace>()
  readonly #taking = new Map<NamespaceId, Promise<KnownPlace>>()
  readonly #dropped = new Set<NamespaceId>()
  /** Settles when the last choice that has begun is made. */
  #choosing: Promise<unknown> = Promise.resolve()

  constructor(options: PlacesOptions) {
    this.#options = options
  }

  isDropped(ns: NamespaceId): boolean {
    return this.#dropped.has(ns)
  }

  /** Where to read; null when nothing was ever written. */
  async find(ns: NamespaceId): Promise<BucketPlace | null> {
    if (this.#dropped.has(ns)) return null
    const known = this.#known.get(ns)
    if (known) return known
    const bucket = await this.#options.places.of(PLACES, ns)
    return bucket === null ? null : this.#toPlace(ns, bucket)
  }

  /** Where to write: the bucket exists and keeps points as long as the namespace does. Throws `namespace_deleted`. */
  async take(ns: NamespaceId): Promise<BucketPlace> {
    if (this.#dropped.has(ns)) throw deleted()
    const known = this.#known.get(ns)
    if (known && this.#isFresh(known) && known.ruleSeconds === this.#ruleFor(ns, known)) return known
    let taking = this.#taking.get(ns)
    if (!taking) {
      taking = this.#take(ns).finally(() => this.#taking.delete(ns))
      this.#taking.set(ns, taking)
    }
    return taking
  }

  /** The bucket was not found: the next `take` looks at everything again. */
  forget(ns: NamespaceId): void {
    this.#known.delete(ns)
  }

  /** From now on, and after a restart, the namespace takes no points; on other gateways within their refresh. */
  async refuse(ns: NamespaceId): Promise<void> {
    this.#dropped.add(ns)
    await this.#options.places.setOnce(DROPPED, ns, '1')
  }

  /** Removes what is in the namespace's place, and the place. */
  async remove(ns: NamespaceId): Promise<void> {
    const { places, buckets } = this.#options
    const bucket = await places.of(PLACES, ns)
    if (bucket === dedicatedBucket(ns)) await buckets.drop(bucket)
    else if (bucket !== null) await buckets.deletePoints({ bucket, ns })
    await places.remove(PLACES, ns)
    await this.#options.losses.forget(ns)
    this.#known.delete(ns)
  }

  #isFresh({ checkedAtMs }: KnownPlace): boolean {
    const { clock, refreshMs } = this.#options
    return refreshMs === null || clock.monotonicMs() - checkedAtMs < refreshMs
  }

  async #take(ns: NamespaceId): Promise<KnownPlace> {
    const { places, buckets, losses, clock } = this.#options
    const checkedAtMs = clock.monotonicMs()
    if ((await places.of(DROPPED, ns)) !== null) this.#dropped.add(ns)
    if (this.#dropped.has(ns)) throw deleted()
    const known = this.#known.get(ns) ?? this.#toPlace(ns, await this.#choose(ns))
    const ruleSeconds = this.#ruleFor(ns, known)
    if (known.ruleSeconds !== ruleSeconds) {
      // Before the bucket is created again: a loss that is not noted would be forgotten.
      await buckets.ensure(known.bucket, ruleSeconds, () => losses.noteLost(known.bucket))
      await losses.noteMade(ns)
    }
    if (this.#dropped.has(ns)) throw deleted()
    const place = { ...known, ruleSeconds, checkedAtMs }
    this.#known.set(ns, place)
    return place
  }

  /** One choice after the other: of many at once each would count the same buckets. Gateways may still make one too many each. */
  #choose(ns: NamespaceId): Promise<string> {
    const chosen = this.#choosing.then(() => this.#chooseNow(ns))
    // The caller has the failure; the next choice only waits for the end of this one.
    this.#choosing = chosen.catch(() => undefined)
    return chosen
  }

  /** A bucket of its own for the first namespaces, the pool for those after: InfluxDB bears few buckets. */
  async #chooseNow(ns: NamespaceId): Promise<string> {
    const { places, poolBucket, maxDedicated } = this.#options
    const given = await places.of(PLACES, ns)
    if (given !== null) return given
    let dedicated = 0
    for (const [each, bucket] of await places.all(PLACES)) if (bucket === dedicatedBucket(each)) dedicated++
    return places.setOnce(PLACES, ns, dedicated < maxDedicated ? dedicatedBucket(ns) : poolBucket)
  }

  #toPlace(ns: NamespaceId, bucket: string): KnownPlace {
    const pooledNs = bucket === dedicatedBucket(ns) ? null : ns
    return { bucket, pooledNs, ruleSeconds: null, checkedAtMs: 0 }
  }

  /** A pool keeps forever: its namespaces have retentions of their own, which `deleteBefore` carries out. */
  #ruleFor(ns: NamespaceId, { pooledNs }: BucketPlace): number {
    return pooledNs === null ? retentionSeconds(this.#options.retentionOf(ns)) : 0
  }
}

/** The result to a late write. */
export function deleted(): GatewayError {
  return new GatewayError('namespace_deleted', 'the namespace is deleted')
}
