import { setTimeout as wait } from 'node:timers/promises'
import { type Clock, SYSTEM_CLOCK } from './clock.js'
import { type AgentConfig, ConfigError } from './config/config.js'
import { batchBody, batchPath, LOGS_PATH } from './deliver/batch-body.js'
import { Deliverer } from './deliver/deliverer.js'
import { HttpPost } from './deliver/http-post.js'
import { FaultLog, type Log } from './fault-log.js'
import { BufferedLines } from './files/buffered-lines.js'
import { Follower } from './files/follower.js'
import { Journal } from './journal/journal.js'
import { LIMITS } from './limits.js'
import { runMetrics } from './metrics/run-metrics.js'
import { lockState } from './state-lock.js'

export interface AgentOptions {
  readonly config: AgentConfig
  readonly hostId: string
  readonly log: Log
  readonly signal: AbortSignal
  readonly clock?: Clock
}

const CHECK_TIMEOUT_MS = 5_000
const STOP_WAIT_MS = 5_000

/**
 * Throws for a namespace that the key may not write to: its lines would wait forever. Returns when the
 * service cannot be reached.
 */
async function checkNamespace(post: HttpPost, { namespace, url }: AgentConfig, log: Log): Promise<void> {
  const body = JSON.stringify({ ...(namespace !== null && { namespace: namespace.name }), logs: [] })
  const reply = await post
    .send(`${LOGS_PATH}?dry_run=true`, await post.compress(body), CHECK_TIMEOUT_MS)
    .catch((error: unknown) => {
      log('service not reached', { url, err: String(error) })
      return null
    })
  if (reply?.status !== 403 || namespace === null) return
  const { detail } = reply.json
  const reason = typeof detail === 'string' ? `: ${detail}` : ''
  throw new ConfigError(`the API key is not authorized for the namespace ${namespace.name} (from ${namespace.from})${reason}`)
}

/** Follows files and collects metrics as configured until the signal, then gives batches in flight a few seconds. */
export async function runAgent({ config, hostId, log, signal, clock = SYSTEM_CLOCK }: AgentOptions): Promise<void> {
  const unlock = await lockState(config.stateDir)
  try {
    const post = new HttpPost(config.url, config.apiKey)
    try {
      await checkNamespace(post, config, log)
      const faults = new FaultLog(log, clock)
      const ended = new AbortController()
      const either = AbortSignal.any([signal, ended.signal])
      const metrics = config.metrics.enabled ? runMetrics({ config, post, clock, faults, signal: either }) : null
      try {
        await follow({ config, hostId, log, signal, clock }, post, faults)
      } finally {
        ended.abort()
        await metrics
      }
    } finally {
      post.close()
    }
  } finally {
    await unlock()
  }
}

async function follow(
  { config, hostId, log, signal, clock }: Required<AgentOptions>,
  post: HttpPost,
  faults: FaultLog
): Promise<void> {
  const journal = await Journal.open(config.stateDir)
  if (journal.damagedLines > 0) log('journal damaged', { lines: journal.damagedLines })
  const stopping = new AbortController()
  const deliverer = new Deliverer(
    post,
    ({ text }) => faults.report('delivery failed', config.url, { url: config.url, err: text }),
    stopping.signal
  )
  let wake = (): void => undefined
  const follower = new Follower(
    {
      config,
      journal,
      clock,
      buffered: new BufferedLines(LIMITS.bufferedBytes),
      deliver: batch => deliverer.deliver(batchPath(batch), () => batchBody(batch, config, hostId)),
      wake: () => wake(),
      log,
      faults
    },
    config.stateDir,
    config.logs.files
  )
  try {
    await follower.resume()
    while (!signal.aborted) {
      await follower.look().catch((error: unknown) => faults.report('look failed', '', { err: String(error) }))
      const untilMs = clock.elapsedMs() + config.logs.pollMs
      for (let leftMs = config.logs.pollMs; leftMs > 0 && !signal.aborted; leftMs = untilMs - clock.elapsedMs()) {
        const woken = new Promise<void>(resolve => {
          wake = resolve
        })
        const isMore = await follower.step()
        await (isMore ? wait(0) : Promise.race([woken, wait(leftMs)]))
      }
    }
  } finally {
    const timer = setTimeout(() => stopping.abort(), STOP_WAIT_MS)
    await follower.close()
    clearTimeout(timer)
    await journal.close()
  }
}
