import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type AgentConfig, ConfigError } from './config/config.js'
import { batchBody } from './deliver/batch-body.js'
import { Deliverer } from './deliver/deliverer.js'
import { HttpPost } from './deliver/http-post.js'
import { Follower } from './files/follower.js'
import { Journal } from './journal/journal.js'
import { lockState } from './state-lock.js'

/** Writes one event with its fields. */
export type Log = (event: string, fields: Readonly<Record<string, unknown>>) => void

export interface AgentOptions {
  readonly config: AgentConfig
  readonly hostId: string
  readonly log: Log
  readonly signal: AbortSignal
}

/**
 * Whether the key may write to the namespace of the configuration. Throws for one that it may not: its lines would wait
 * for ever. A service that cannot be reached is none of its faults.
 */
async function checkNamespace(post: HttpPost, { namespace, url }: AgentConfig, log: Log): Promise<void> {
  const body = JSON.stringify({ ...(namespace !== null && { namespace: namespace.name }), logs: [] })
  const reply = await post.send('/api/v1/logs/batch?dry_run=true', await post.compress(body)).catch((error: unknown) => {
    log('service not reached', { url, err: String(error) })
    return null
  })
  const detail = String(reply?.json['detail'] ?? '')
  if (reply?.status !== 403 || namespace === null) return
  throw new ConfigError(`the API key may not write to the namespace ${namespace.name} (from ${namespace.from}): ${detail}`)
}

const FAULT_EVERY_MS = 60_000
const STOP_WAIT_MS = 5_000

/** Reports a fault when it begins and once a minute while it lasts. */
function faultReporter(log: Log): (fault: { readonly text: string }) => void {
  let last = { text: '', atMs: 0 }
  return ({ text }) => {
    const nowMs = Date.now()
    if (text === last.text && nowMs - last.atMs < FAULT_EVERY_MS) return
    last = { text, atMs: nowMs }
    log('delivery failed', { err: text })
  }
}

/** Follows the files of the configuration until the signal, then gives batches in flight a few seconds. */
export async function runAgent({ config, hostId, log, signal }: AgentOptions): Promise<void> {
  const unlock = await lockState(config.stateDir)
  const journal = await Journal.open(config.stateDir)
  if (journal.damagedLines > 0) log('journal damaged', { lines: journal.damagedLines })
  const post = new HttpPost(config.url, config.apiKey)
  const stopping = new AbortController()
  const deliverer = new Deliverer(post, faultReporter(log), stopping.signal)
  let wake = (): void => undefined
  const follower = new Follower(
    {
      config,
      journal,
      deliver: batch => deliverer.deliver(batchBody(batch, config, hostId)),
      nowMs: () => Date.now(),
      wake: () => wake(),
      log
    },
    config.stateDir
  )
  try {
    await checkNamespace(post, config, log)
    await follower.resume()
    while (!signal.aborted) {
      await follower.look()
      const untilMs = Date.now() + config.logs.pollMs
      for (let leftMs = config.logs.pollMs; leftMs > 0 && !signal.aborted; leftMs = untilMs - Date.now()) {
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
    post.close()
    await rm(join(config.stateDir, 'journal.next'), { force: true })
    await unlock()
  }
}
