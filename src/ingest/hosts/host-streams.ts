import { type Namespace, retentionStartNs } from '../../domain/namespace.js'
import type { NamespaceId } from '../../domain/ids.js'
import type { LogStream } from '../../domain/log-stream.js'
import type { Clock } from '../../ports/clock.js'
import type { StreamLedger } from '../../ports/stream-ledger.js'

/** Where a log stream of a host is, and by which bytes its file is recognized. No content. */
export interface HostStreamReply {
  readonly id: string
  readonly path: string | null
  readonly kind: string | null
  readonly next_seq: number
  readonly bytes_to: number
  readonly line_to: number
  readonly head: string | null
  readonly anchor: string | null
  readonly pending: LogStream['pending']
  readonly recovered: LogStream['recovered']
  readonly end: LogStream['end']
  readonly first_at: string
  readonly last_at: string
  /** The next batches have to be sealed later. */
  readonly sealed_at: string | null
}

/** A page of the streams of a host, by id. */
export interface HostStreamsReply {
  readonly items: readonly HostStreamReply[]
  /** Ended streams whose last batch arrived before are left out. */
  readonly since: string
  readonly has_more: boolean
}

const PAGE = 500
/** How long agents remember ended streams. */
const ENDED_KEPT_MS = 7 * 86_400_000
const NS_PER_MS = 1_000_000n

const timeJson = (ms: number): string => new Date(ms).toISOString()

function streamJson(stream: LogStream): HostStreamReply {
  const { id, path, kind, head, anchor, pending, recovered, end } = stream
  const place = { next_seq: stream.nextSeq, bytes_to: stream.bytesTo, line_to: stream.lineTo }
  const { firstAtMs, lastAtMs, sealedAtMs } = stream
  const sealed = { sealed_at: sealedAtMs === null ? null : timeJson(sealedAtMs) }
  const times = { first_at: timeJson(firstAtMs), last_at: timeJson(lastAtMs), ...sealed }
  return { id, path, kind, ...place, head, anchor, pending, recovered, end, ...times }
}

export interface HostStreamsDeps {
  readonly streams: Pick<StreamLedger, 'list'>
  readonly clock: Clock
  /** Resolves when the ledger has the batches of the host that are in flight on this gateway. */
  readonly settled: (ns: NamespaceId, hostId: string) => Promise<void>
}

/** The streams of a host from the ledger: an agent that lost its state goes on from them. */
export class HostStreams {
  readonly #deps: HostStreamsDeps

  constructor(deps: HostStreamsDeps) {
    this.#deps = deps
  }

  /**
   * Machines that were cloned share their id: streams of another name are those of another machine.
   * @param after the id of the last stream of the page before; empty for the first.
   */
  async page(
    { id, retention }: Namespace,
    { hostId, name }: { readonly hostId: string; readonly name: string },
    after: string
  ): Promise<HostStreamsReply> {
    const { clock, streams, settled } = this.#deps
    if (after === '') await settled(id, hostId)
    const keptMs = Number(retentionStartNs(retention, 'logs', clock.nowNs()) / NS_PER_MS)
    const sinceMs = Math.max(clock.nowMs() - ENDED_KEPT_MS, keptMs)
    const found = await streams.list(id, {
      ...{ hostId, hostOrNone: name, endedSinceMs: sinceMs, limit: PAGE + 1 },
      ...(after !== '' && { after })
    })
    return { items: found.slice(0, PAGE).map(streamJson), since: timeJson(sinceMs), has_more: found.length > PAGE }
  }
}
