import type { NamespaceId } from '../../../domain/ids.js'
import { NAMESPACE_TAG } from '../line/series-head.js'
import { FIRST_NS, LAST_NS, toRfc3339 } from '../line/time-bounds.js'
import { statusOf, storeError } from './influx-errors.js'
import type { InfluxClient } from './influx-client.js'

interface RetentionRule {
  readonly type: string
  readonly everySeconds: number
}

interface Bucket {
  readonly id: string
  readonly name: string
  readonly retentionRules: readonly RetentionRule[]
}

/** Points to remove; `ns` narrows it down to one namespace of a pool. */
export interface DeleteRequest {
  readonly bucket: string
  readonly ns: NamespaceId | null
  /** Times before this one; all when absent. */
  readonly beforeNs?: bigint
}

/** Buckets of one response, the most that InfluxDB gives. */
const PAGE = 100

/** Seconds; InfluxDB writes "forever" as 0. */
function rules(everySeconds: number): readonly RetentionRule[] {
  return [{ type: 'expire', everySeconds }]
}

/** Buckets of one organization. Everything here may be done twice, and by two gateways at once. */
export class Buckets {
  readonly #client: InfluxClient
  #orgId: Promise<string> | null = null

  constructor(client: InfluxClient) {
    this.#client = client
  }

  /**
   * Makes the bucket unless it is there, and gives it the retention (seconds, 0 forever). `onMissing` is awaited before a
   * bucket is made.
   */
  ensure(name: string, everySeconds: number, onMissing: () => Promise<void>): Promise<void> {
    return this.#do(`bucket ${name}`, async () => {
      const found = await this.#find(name)
      if (!found) await onMissing()
      const bucket = found ?? (await this.#create(name, everySeconds))
      if (bucket.retentionRules[0]?.everySeconds === everySeconds) return
      const body = { retentionRules: rules(everySeconds) }
      await this.#client.call({ method: 'PATCH', path: `/api/v2/buckets/${bucket.id}`, body })
    })
  }

  /** Whether there is a bucket of this name. */
  async exists(name: string): Promise<boolean> {
    let isThere = false
    await this.#do(`bucket ${name}`, async () => {
      isThere = (await this.#find(name)) !== null
    })
    return isThere
  }

  /** The names of all buckets of the organization. */
  async names(): Promise<ReadonlySet<string>> {
    const names = new Set<string>()
    await this.#do('listing buckets', async () => {
      let page: readonly Bucket[] = []
      do {
        const after = page.length > 0 ? `&after=${page.at(-1)!.id}` : ''
        const path = `/api/v2/buckets?orgID=${await this.#org()}&limit=${PAGE}${after}`
        page = ((await this.#client.call({ method: 'GET', path })) as { buckets: readonly Bucket[] }).buckets
        for (const { name } of page) names.add(name)
      } while (page.length === PAGE)
    })
    return names
  }

  /** Removes the bucket and all that is in it. */
  drop(name: string): Promise<void> {
    return this.#do(`dropping bucket ${name}`, async () => {
      const bucket = await this.#find(name)
      if (!bucket) return
      await missingIsNull(this.#client.call({ method: 'DELETE', path: `/api/v2/buckets/${bucket.id}` }))
    })
  }

  /** Removes points; does nothing without such a bucket. */
  deletePoints({ bucket, ns, beforeNs = LAST_NS + 1n }: DeleteRequest): Promise<void> {
    if (beforeNs <= FIRST_NS) return Promise.resolve()
    return this.#do(`deleting points of ${bucket}`, async () => {
      const query = `org=${encodeURIComponent(this.#client.org)}&bucket=${encodeURIComponent(bucket)}`
      // `stop` is inclusive here, unlike everywhere else. Ids of namespaces are letters and digits.
      const body = { start: toRfc3339(FIRST_NS), stop: toRfc3339(beforeNs - 1n) }
      const predicate = ns === null ? {} : { predicate: `${NAMESPACE_TAG}="${ns}"` }
      const call = { method: 'POST', path: `/api/v2/delete?${query}`, body: { ...body, ...predicate } } as const
      await missingIsNull(this.#client.call(call))
    })
  }

  async #create(name: string, everySeconds: number): Promise<Bucket> {
    const body = { orgID: await this.#org(), name, retentionRules: rules(everySeconds) }
    try {
      return (await this.#client.call({ method: 'POST', path: '/api/v2/buckets', body })) as Bucket
    } catch (error) {
      // Another writer was faster: 422 `conflict`.
      const made = statusOf(error) === 422 ? await this.#find(name) : null
      if (made) return made
      throw error
    }
  }

  async #find(name: string): Promise<Bucket | null> {
    const query = `name=${encodeURIComponent(name)}&orgID=${await this.#org()}`
    const found = await missingIsNull(this.#client.call({ method: 'GET', path: `/api/v2/buckets?${query}` }))
    return (found as { buckets: readonly Bucket[] } | null)?.buckets[0] ?? null
  }

  #org(): Promise<string> {
    this.#orgId ??= this.#readOrg().catch((error: unknown) => {
      this.#orgId = null
      throw error
    })
    return this.#orgId
  }

  async #readOrg(): Promise<string> {
    const path = `/api/v2/orgs?org=${encodeURIComponent(this.#client.org)}`
    const { orgs } = (await this.#client.call({ method: 'GET', path })) as { orgs: readonly { readonly id: string }[] }
    if (orgs[0]) return orgs[0].id
    throw new Error(`unknown organization ${this.#client.org}`)
  }

  async #do(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      throw storeError(error, what)
    }
  }
}

async function missingIsNull(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call
  } catch (error) {
    if (statusOf(error) === 404) return null
    throw error
  }
}
