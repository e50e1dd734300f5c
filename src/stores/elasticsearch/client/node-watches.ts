import type { GatewayError } from '../../../domain/errors.js'
import type { Clock } from '../../../ports/clock.js'
import type { ElasticsearchServer } from './node-transport.js'
import { ServerWatch, type WatchLimits } from '../../shared/server-watch.js'
import { systemTimers } from '../../../threads/system-timers.js'
import { ALL_STATUSES } from './engine-errors.js'
import { openNodeTransport, urlsOf } from './node-transport.js'

/** One socket a node: a probe must not wait behind requests. */
const PROBE_SOCKETS = 1

/** What the watches of a cluster's nodes work with. */
export interface NodeWatchesOptions {
  readonly server: ElasticsearchServer
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly limits?: Partial<WatchLimits>
  /** Called when a node is taken out, and with null when it responds again. */
  readonly onChange?: (address: string, outage: GatewayError | null) => void
}

/** Which nodes of a cluster respond, for all clients of the cluster. */
export class NodeWatches {
  /** In the order of the URLs. */
  readonly all: readonly ServerWatch[]
  readonly #close: () => Promise<void>

  constructor({ server, clock, limits = {}, onChange }: NodeWatchesOptions) {
    const nodes = urlsOf(server).map(url => {
      const { transport, close } = openNodeTransport(server, url, PROBE_SOCKETS)
      const watch = new ServerWatch({
        name: 'the search store',
        address: url.origin,
        // Any status is a response: a node may refuse this page, or the credentials.
        probe: async signal => void (await transport.request({ method: 'HEAD', path: '/' }, { signal, ignore: ALL_STATUSES })),
        clock,
        timers: systemTimers,
        limits,
        onChange: outage => onChange?.(url.origin, outage)
      })
      return { watch, close }
    })
    this.all = nodes.map(({ watch }) => watch)
    this.#close = async () => {
      for (const { watch } of nodes) watch.close()
      await Promise.all(nodes.map(({ close }) => close()))
    }
  }

  /** Those that do not respond. */
  get out(): readonly ServerWatch[] {
    return this.all.filter(({ outage }) => outage !== null)
  }

  /** Probes all nodes now. */
  async examine(): Promise<void> {
    await Promise.all(this.all.map(watch => watch.examine()))
  }

  close(): Promise<void> {
    return this.#close()
  }
}
