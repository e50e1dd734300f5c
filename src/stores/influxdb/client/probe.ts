import { HttpError } from '@influxdata/influxdb-client'
import { type InfluxConnection, openTransport } from './transport.js'

/** Longer than whoever asks waits. */
const TIMEOUT_MS = 10_000

/** Asks InfluxDB what it answers at once, over a connection of its own. */
export function openProbe(connection: InfluxConnection): {
  readonly probe: (signal: AbortSignal) => Promise<void>
  readonly close: () => void
} {
  const { transport, agent } = openTransport(connection, TIMEOUT_MS, 1)
  return {
    probe: async signal => {
      try {
        await transport.request('/ping', '', { method: 'GET', signal })
      } catch (error) {
        // Any status is a response.
        if (!(error instanceof HttpError)) throw error
      }
    },
    close: () => agent.destroy()
  }
}
