import type { AgentCounters } from '../agent-counters.js'
import { atIntervals } from '../at-intervals.js'
import type { Clock } from '../clock.js'
import type { AgentConfig } from '../config/config.js'
import type { HttpPost } from '../deliver/http-post.js'
import type { FaultLog } from '../fault-log.js'
import { LIMITS } from '../limits.js'
import type { OwnFigures } from './collect.js'
import { machineCollector } from './machine-collector.js'
import { metricsBody, MetricSender } from './metric-sender.js'

export interface MetricsRunOptions {
  readonly config: AgentConfig
  readonly post: HttpPost
  readonly clock: Clock
  /** What the agent knows of its own work. */
  readonly status: () => Promise<OwnFigures>
  readonly faults: FaultLog
  readonly counters: Pick<AgentCounters, 'countDroppedCollection'>
  readonly signal: AbortSignal
}

/** Collects and sends the metrics of this machine until the signal. */
export async function runMetrics({ config, post, clock, counters, status, faults, signal }: MetricsRunOptions): Promise<void> {
  const { intervalMs } = config.metrics
  const collector = machineCollector({
    config,
    elapsedMs: () => clock.elapsedMs(),
    own: status,
    onFault: (part, error) => faults.report('metrics not collected', part, { part, err: String(error) })
  })
  const sender = new MetricSender({
    post,
    onFault: text => faults.report('metrics not sent', config.url, { url: config.url, err: text }),
    onDropped: () => {
      counters.countDroppedCollection()
      faults.report('metrics dropped', '', { err: 'not sent within 15 minutes' })
    },
    maxWaiting: Math.max(1, Math.floor(LIMITS.metricsWaitingMs / intervalMs))
  })
  await atIntervals({ intervalMs, clock, signal }, async () => {
    const atMs = clock.nowMs()
    const all = await collector.collect()
    const points = all.slice(0, LIMITS.metricSeries)
    if (all.length > points.length) faults.report('too many series', '', { series: all.length, limit: LIMITS.metricSeries })
    // Sent next to the collection: an outage does not delay the next one.
    void sender.send(metricsBody(points, config, atMs)).catch((error: unknown) => {
      faults.report('metrics not sent', config.url, { err: String(error) })
    })
  })
}
