import type { Clock } from '../clock.js'
import type { AgentConfig } from '../config/config.js'
import type { HttpPost } from '../deliver/http-post.js'
import type { FaultLog, Log } from '../fault-log.js'
import { FirstLook, sizesNow } from '../files/first-look.js'
import { Source } from '../files/source.js'
import { agentFacts } from '../host/agent-facts.js'
import { hostBody } from '../host/host-body.js'
import { hostFacts } from '../host/host-facts.js'
import type { Journal } from '../journal/journal.js'
import { LIMITS } from '../limits.js'
import { fetchStreams } from './fetch-streams.js'
import { recoverStreams } from './recover-streams.js'

export interface RecoverOptions {
  readonly config: AgentConfig
  readonly hostId: string
  readonly post: Pick<HttpPost, 'compress' | 'put'>
  readonly clock: Clock
  readonly log: Log
  readonly faults: FaultLog
  readonly signal: AbortSignal
}

/**
 * What the first look at the files has to know. An agent without a journal takes its streams from the service, and waits
 * until that responds: it starts for the first time, or lost its state. Rejects when the agent stops.
 */
export async function recover(journal: Journal, options: RecoverOptions): Promise<FirstLook> {
  const { config, clock, log } = options
  const { files } = config.logs
  if (journal.patterns.size > 0 || files.length === 0) return new FirstLook()
  const sizes = await sizesNow(files.map(file => new Source(file)))
  const report = { host: hostFacts(), agent: agentFacts(config, clock.nowMs()), sources: [], listeners: null }
  const body = hostBody(report, config, LIMITS.hostReportBytes)
  const found = await fetchStreams({ ...options, body, url: config.url })
  if (found !== null) return new FirstLook(sizes, await recoverStreams(journal, files, found, log))
  log('the service has no positions of log streams', { url: config.url })
  return new FirstLook(sizes)
}
