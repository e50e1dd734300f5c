import { isGatewayError } from '../../../domain/errors.js'
import { EngineRefusal, type EngineClient, type Reply } from '../client/engine-client.js'
import { engineFault, engineToGatewayError } from '../client/engine-errors.js'
import { REPLY_PATHS, STORED, toOutcome, type ItemOutcome, type ReplyItem } from './item-outcome.js'
import { halves, type Piece } from './piece.js'

interface BulkReply {
  readonly errors: boolean
  readonly items?: readonly ReplyItem[]
}

const BAD_REQUEST = 400
const TOO_LARGE = 413
// Less than the request's own time, so that the engine's word for copies that are missing arrives.
const ENGINE_TIMEOUT = '20s'

function outcomesOf({ errors, items = [] }: BulkReply, count: number): readonly ItemOutcome[] {
  if (!errors) return Array.from({ length: count }, () => STORED)
  if (items.length !== count) throw new Error(`a bulk of ${count} documents returned results for ${items.length}`)
  return items.map(toOutcome)
}

function joined(pieces: readonly Piece[]): Buffer {
  return pieces.length === 1 ? pieces[0]!.bytes : Buffer.concat(pieces.map(({ bytes }) => bytes))
}

/** Whether the engine refused a whole request for want of room. */
export function isTooMany(error: unknown): boolean {
  return isGatewayError(error, 'overloaded') && error.cause instanceof EngineRefusal
}

/** Sends pieces in one request. */
export interface SendsBulks {
  /** The outcomes of the documents, piece by piece. Throws when the whole request failed; it may have stored some of them. */
  send(pieces: readonly Piece[]): Promise<readonly (readonly ItemOutcome[])[]>
}

/** Sends bulks to an engine. */
export class BulkSender implements SendsBulks {
  readonly #client: EngineClient
  readonly #timeoutMs: number

  constructor(client: EngineClient, timeoutMs: number) {
    this.#client = client
    this.#timeoutMs = timeoutMs
  }

  async send(pieces: readonly Piece[]): Promise<readonly (readonly ItemOutcome[])[]> {
    const reply = await this.#post(joined(pieces))
    if (reply.status >= BAD_REQUEST) return this.#sendInHalves(pieces, reply)
    const outcomes = outcomesOf(
      reply.body as BulkReply,
      pieces.reduce((sum, { count }) => sum + count, 0)
    )
    let at = 0
    return pieces.map(({ count }) => outcomes.slice(at, (at += count)))
  }

  #post(body: Buffer): Promise<Reply> {
    const query = { require_alias: true, timeout: ENGINE_TIMEOUT, filter_path: REPLY_PATHS }
    const accept = [BAD_REQUEST, TOO_LARGE]
    return this.#client.request({ method: 'POST', path: '/_bulk', query, body, timeoutMs: this.#timeoutMs, accept })
  }

  /** A request that was refused whole stored nothing; its neighbors must not suffer for one document. */
  async #sendInHalves(pieces: readonly Piece[], { status, body }: Reply): Promise<readonly (readonly ItemOutcome[])[]> {
    if (pieces.length > 1) {
      const middle = Math.ceil(pieces.length / 2)
      return [...(await this.send(pieces.slice(0, middle))), ...(await this.send(pieces.slice(middle)))]
    }
    const piece = pieces[0]!
    const fault = engineFault(status, body)
    if (piece.count === 1) {
      if (status === TOO_LARGE) return [[{ kind: 'refused', reason: 'the record exceeds the size limit of the search store' }]]
      // Not for the record's content, which the engine reports per document: no reason to drop it.
      throw engineToGatewayError(fault)
    }
    const [first, second] = halves(piece)
    const [ofFirst] = await this.send([first])
    const [ofSecond] = await this.send([second])
    return [[...ofFirst!, ...ofSecond!]]
  }
}
