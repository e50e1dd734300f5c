import { AgentCounters } from './agent-counters.js'
import { checkNamespace } from './check-namespace.js'
import { type Clock, SYSTEM_CLOCK } from './clock.js'
import type { AgentConfig } from './config/config.js'
import { batchBody, batchPath, type SealedBatch } from './deliver/batch-body.js'
import { Deliverer, type Delivery } from './deliver/deliverer.js'
import { HttpPost } from './deliver/http-post.js'
import { runDocker } from './docker/run-docker.js'
import { FaultLog, type Log } from './fault-log.js'
import { BufferedLines } from './files/buffered-lines.js'
import type { FirstLook } from './files/first-look.js'
import { FolderWatch } from './files/folder-watch.js'
import { FollowLoop } from './files/follow-loop.js'
import { Follower } from './files/follower.js'
import { type SourceState, sourceStates } from './files/source-states.js'
import { agentFacts } from './host/agent-facts.js'
import { type HostRunOptions, runHost } from './host/run-host.js'
import { Journal } from './journal/journal.js'
import { runJournald } from './journald/run-journald.js'
import { LIMITS } from './limits.js'
import { type MetricsRunOptions, runMetrics } from './metrics/run-metrics.js'
import { recover } from './recover/recover.js'
import { lockState } from './state-lock.js'
import type { AgentStatus } from './status/agent-status.js'
import { runStatus, type StatusRunOptions } from './status/run-status.js'

/** What an agent runs with. */
export interface AgentOptions {
  readonly config: AgentConfig
  readonly hostId: string
  readonly log: Log
  readonly signal: AbortSignal
  readonly clock?: Clock
}

const STOP_WAIT_MS = 5_000

/** Follows files and collects metrics as configured until the signal, then gives batches in flight a few seconds. */
export async function runAgent({ config, hostId, log, signal, clock = SYSTEM_CLOCK }: AgentOptions): Promise<void> {
  const unlock = await lockState(config.stateDir)
  try {
    const post = new HttpPost(config)
    try {
      await checkNamespace(post, config, log)
      const counters = new AgentCounters()
      await work({ config, hostId, log, signal, clock, post, counters, faults: new FaultLog(log, clock) })
    } finally {
      post.close()
    }
  } finally {
    await unlock()
  }
}

/** Sends metrics and reports of the host, and shows the status to this machine, until the signal. */
async function report(options: HostRunOptions & MetricsRunOptions & StatusRunOptions): Promise<void> {
  const { metrics, statusPort } = options.config
  await Promise.all([
    metrics.enabled ? runMetrics(options) : null,
    statusPort === 0 ? null : runStatus({ ...options, port: statusPort }),
    runHost(options)
  ])
}

/** What delivers lines, once the agent follows files. */
interface Following {
  readonly follower: Follower
  readonly deliverer: Deliverer
}

interface Running extends Required<AgentOptions> {
  readonly post: HttpPost
  readonly faults: FaultLog
  readonly counters: AgentCounters
}

/** Works until the signal; what is sent of the machine does not wait for the files. */
async function work(options: Running): Promise<void> {
  const { config, counters, clock, log, signal } = options
  const journal = await Journal.open(config.stateDir)
  if (journal.damagedLines > 0) log('journal damaged', { lines: journal.damagedLines })
  const ended = new AbortController()
  let following: Following | null = null
  const sources = (): Promise<readonly SourceState[]> => sourceStates(following?.follower.streams ?? [], LIMITS.reportedSources)
  const agent = agentFacts(config, clock.nowMs())
  const status = async (): Promise<AgentStatus> => {
    const { fault = null, retries = 0 } = following?.deliverer ?? {}
    return { agent, url: config.url, counters, fault, retries, sources: await sources() }
  }
  // Files are followed without reports, too.
  const until = AbortSignal.any([signal, ended.signal])
  const reports = report({ ...options, agent, sources, status, signal: until }).catch((error: unknown) =>
    log('reports ended', { err: String(error) })
  )
  try {
    const firstLook = await recover(journal, options)
    await follow(options, journal, firstLook, opened => {
      following = opened
    })
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    ended.abort()
    await reports
    await journal.close()
  }
}

/** Follows files until the signal, then gives batches in flight a few seconds. */
async function follow(
  { config, hostId, log, signal, clock, post, counters, faults }: Running,
  journal: Journal,
  firstLook: FirstLook,
  onOpened: (following: Following) => void
): Promise<void> {
  const stopping = new AbortController()
  const deliverer = new Deliverer(
    post,
    ({ text }) => faults.report('delivery failed', config.url, { url: config.url, err: text }),
    stopping.signal
  )
  let wake = (): void => undefined
  const deliver = async (batch: SealedBatch): Promise<Delivery> => {
    let unparsed = 0
    const body = (): Buffer => batchBody(batch, config, hostId, records => (unparsed = records))
    const delivery = await deliverer.deliver(batchPath(batch), body)
    counters.count(batch, delivery, unparsed)
    const { path } = batch.record
    if (unparsed > 0) faults.report('lines are not of the format of their file', path, { path, format: batch.source.format })
    return delivery
  }
  const deps = { config, journal, clock, deliver, log, faults }
  const follower = new Follower(
    { ...deps, buffered: new BufferedLines(LIMITS.bufferedBytes), wake: () => wake() },
    config.stateDir,
    config.logs.files,
    firstLook
  )
  onOpened({ follower, deliverer })
  const { journald, docker } = config.logs
  const others = [
    journald === null ? null : runJournald({ ...deps, source: journald, signal }),
    docker === null ? null : runDocker({ ...deps, source: docker, signal })
  ]
  try {
    await follower.resume()
    const onFault = (error: unknown): void => faults.report('look failed', '', { err: String(error) })
    const { pollMs } = config.logs
    const loop = new FollowLoop({ followed: follower, watch: new FolderWatch(), clock, pollMs, onFault, signal })
    wake = () => loop.wake()
    await loop.run()
  } finally {
    const timer = setTimeout(() => stopping.abort(), STOP_WAIT_MS)
    await Promise.all([follower.close(), ...others])
    clearTimeout(timer)
  }
}
