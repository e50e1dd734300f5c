import type { AgentCounters } from '../agent-counters.js'
import type { DeliveryFault } from '../deliver/deliverer.js'
import type { SourceState } from '../files/source-states.js'
import type { AgentFacts } from '../host/agent-facts.js'

/** What the agent does at a moment. */
export interface AgentStatus {
  readonly agent: AgentFacts
  readonly url: string
  readonly counters: Pick<AgentCounters, 'lines' | 'bytes' | 'gaps' | 'unparsed' | 'invalidUtf8' | 'droppedCollections'>
  /** Why the last batch is not stored; null while batches are stored. */
  readonly fault: DeliveryFault | null
  /** Attempts of batches that were repeated since the start. */
  readonly retries: number
  readonly sources: readonly SourceState[]
}

/** The body of `/status`. */
export function statusJson({ agent, url, counters, fault, retries, sources }: AgentStatus): unknown {
  return {
    version: agent.version,
    started_at: new Date(agent.startedAtMs).toISOString(),
    config_hash: agent.configHash,
    url,
    delivered: {
      lines: counters.lines,
      bytes: counters.bytes,
      gaps: counters.gaps,
      retries,
      unparsed_lines: counters.unparsed,
      invalid_utf8_lines: counters.invalidUtf8
    },
    metrics: { dropped_collections: counters.droppedCollections },
    fault: fault === null ? null : { detail: fault.text, refused: fault.isRefused },
    sources: sources.map(({ path, state, lagBytes }) => ({ path, state, lag_bytes: lagBytes }))
  }
}

/** A value of a label as the text format of Prometheus has it. */
function labelValue(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}

function family(name: string, type: 'counter' | 'gauge', help: string, samples: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples, ''].join('\n')
}

/** The body of `/metrics`, in the text format of Prometheus (exposition format 0.0.4). */
export function statusMetrics({ counters, fault, retries, sources }: AgentStatus): string {
  const lags = sources.flatMap(({ path, lagBytes }) =>
    lagBytes === null ? [] : [`alidade_agent_source_lag_bytes{path=${labelValue(path)}} ${lagBytes}`]
  )
  const one = (name: string, type: 'counter' | 'gauge', help: string, value: number): string =>
    family(name, type, help, [`${name} ${value}`])
  return [
    one('alidade_agent_lines_total', 'counter', 'Lines that the service took since the start', counters.lines),
    one('alidade_agent_bytes_total', 'counter', 'Bytes of these lines', counters.bytes),
    one('alidade_agent_gaps_total', 'counter', 'Gaps that were reported since the start', counters.gaps),
    one('alidade_agent_unparsed_lines_total', 'counter', 'Records that are not of the format of their file', counters.unparsed),
    one('alidade_agent_invalid_utf8_lines_total', 'counter', 'Lines with bytes that are not UTF-8', counters.invalidUtf8),
    one('alidade_agent_delivery_retries_total', 'counter', 'Repeated attempts of batches since the start', retries),
    one('alidade_agent_dropped_collections_total', 'counter', 'Collections of metrics never sent', counters.droppedCollections),
    one('alidade_agent_delivery_failing', 'gauge', '1 while the last batch is not stored', fault === null ? 0 : 1),
    family('alidade_agent_source_lag_bytes', 'gauge', 'Bytes of a file that are not stored yet', lags)
  ].join('')
}
