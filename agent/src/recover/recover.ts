import type { Clock } from '../clock.js'
import type { AgentConfig } from '../config/config.js'
import type { HttpPost } from '../deliver/http-post.js'
import type { FaultLog, Log } from '../fault-log.js'
import { FirstLook, sizesNow } from '../files/first-look.js'
import { Source } from '../files/source.js'
import { agentFacts } from '../host/agent-facts.js'
import { hostBody } from '../host/host-body.js'
import { hostFacts } from '../host/host-facts.js'
import { DOCKER, recoverContainers } from '../docker/container-records.js'
import { journalName, recoverJournal } from '../journald/journal-streams.js'
import type { Journal } from '../journal/journal.js'
import { LIMITS } from '../limits.js'
import { fetchStreams } from './fetch-streams.js'
import { recoverStreams } from './recover-streams.js'

/** Dependencies of the recovery of a lost state folder. */
export interface RecoverOptions {
  readonly config: AgentConfig
  readonly hostId: string
  readonly post: Pick<HttpPost, 'compress' | 'put'>
  readonly clock: Clock
  readonly log: Log
  readonly faults: FaultLog
  readonly signal: AbortSignal
}

/** Whether the agent has never looked at one of its files, at the system journal, and at containers. */
function isFirst(
  { patterns }: Journal,
  { files, journald, docker }: AgentConfig['logs']
): Record<'ofFiles' | 'ofJournal' | 'ofDocker', boolean> {
  const name = journald === null ? null : journalName(journald)
  const hasFiles = [...patterns.keys()].some(pattern => pattern.startsWith('/'))
  return {
    ofFiles: files.length > 0 && !hasFiles,
    ofJournal: name !== null && !patterns.has(name),
    ofDocker: docker !== null && !patterns.has(DOCKER)
  }
}

/**
 * What the first look at the files has to know. An agent without a journal takes its streams from the service, and waits
 * until that responds: it starts for the first time, or lost its state. Rejects when the agent stops.
 */
export async function recover(journal: Journal, options: RecoverOptions): Promise<FirstLook> {
  const { config, clock, log } = options
  const { files, journald, docker } = config.logs
  const { ofFiles, ofJournal, ofDocker } = isFirst(journal, config.logs)
  if (!ofFiles && !ofJournal && !ofDocker) return new FirstLook()
  const sizes = ofFiles ? await sizesNow(files.map(file => new Source(file))) : null
  const report = { host: hostFacts(), agent: agentFacts(config, clock.nowMs()), sources: [], listeners: null, containers: null }
  const body = hostBody(report, config, LIMITS.hostReportBytes)
  const found = await fetchStreams({ ...options, body, url: config.url })
  if (found === null) log('the service has no positions of log streams', { url: config.url })
  if (found !== null && ofJournal && journald !== null) await recoverJournal(journal, journalName(journald), found.streams)
  if (found !== null && ofDocker && docker !== null) await recoverContainers(journal, found.streams, docker)
  return new FirstLook(sizes, found === null || !ofFiles ? undefined : await recoverStreams(journal, files, found, log))
}
