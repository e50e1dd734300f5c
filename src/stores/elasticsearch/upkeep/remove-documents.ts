import type { EngineClient } from '../client/engine-client.js'
import { engineToGatewayError } from '../client/engine-errors.js'
import { groupsOf, type FoundId, type IndexCalls } from './index-calls.js'

const PAGE = 5_000
const TIMEOUT_MS = 60_000
const NOT_FOUND = 404

interface DeleteReply {
  readonly errors: boolean
  readonly items?: readonly {
    readonly delete: { readonly status: number; readonly error?: { type?: string; reason?: string } }
  }[]
}

/** Removes documents by search and bulk: no engine has the same way to do it by query. */
export class DocumentRemover {
  readonly #client: EngineClient
  readonly #calls: IndexCalls

  constructor(client: EngineClient, calls: IndexCalls) {
    this.#client = client
    this.#calls = calls
  }

  /** Removes what matches until a look at all of it finds nothing more; then no read sees it. */
  async remove(indices: readonly string[], query: object): Promise<void> {
    for (const group of groupsOf(indices)) {
      await this.#calls.refresh(group)
      while (await this.#removeOnce(group, query)) await this.#calls.refresh(group)
    }
  }

  /** Whether there was anything. */
  async #removeOnce(indices: readonly string[], query: object): Promise<boolean> {
    let after: string | null = null
    for (;;) {
      const found: readonly FoundId[] = await this.#calls.ids(indices, query, after, PAGE)
      if (found.length === 0) return after !== null
      await this.#delete(found)
      after = found.at(-1)!.sort[0]
    }
  }

  async #delete(found: readonly FoundId[]): Promise<void> {
    const lines = found.map(({ _index, _id }) => `${JSON.stringify({ delete: { _index, _id } })}\n`)
    const query = { filter_path: 'errors,items.*.status,items.*.error.type,items.*.error.reason' }
    const body = Buffer.from(lines.join(''))
    const reply = await this.#client.request({ method: 'POST', path: '/_bulk', query, body, timeoutMs: TIMEOUT_MS })
    const { errors, items = [] } = reply.body as DeleteReply
    if (!errors) return
    for (const {
      delete: { status, error }
    } of items) {
      if (error && status !== NOT_FOUND)
        throw engineToGatewayError({ status, type: error.type ?? '', reason: error.reason ?? '' })
    }
  }
}
