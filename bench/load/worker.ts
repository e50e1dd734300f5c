import { FreshPoints, PooledLogs } from './bodies.js'
import type { BodySource } from './bodies.js'
import { parseCostUs } from './calibrate.js'
import type { Target } from './connection.js'
import { Drive } from './drive.js'
import type { DriveResult, Pace } from './drive.js'

/** The order for the load process. */
export interface LoadOrder {
  readonly kind: 'logs' | 'points'
  readonly target: Target
  readonly batch: number
  readonly seed: number
  readonly warmUpSeconds: number
  readonly pace: Pace
}

/** What the load process reports: `measuring` after the warm-up, `done` at the end. */
export type LoadReport =
  | { readonly type: 'measuring' }
  | {
      readonly type: 'done'
      readonly result: DriveResult
      /** `JSON.parse` per item, the mean of before and after. */
      readonly parseUs: number
      /** The load process's own CPU during the measured time. */
      readonly ownCpuSeconds: number
    }

function bodiesOf(order: LoadOrder): BodySource {
  const nowMs = (): number => Date.now()
  if (order.kind === 'logs') return new PooledLogs({ seed: order.seed, batch: order.batch, nowMs })
  return new FreshPoints({ seed: order.seed, batch: order.batch, startNs: BigInt(nowMs() - 60_000) * 1_000_000n })
}

function report(message: LoadReport): void {
  process.send?.(message)
}

async function work(order: LoadOrder): Promise<void> {
  const bodies = bodiesOf(order)
  const before = parseCostUs(bodies.samples(), order.batch)
  if (order.warmUpSeconds > 0) await new Drive(order.target, bodies).run({ ...order.pace, seconds: order.warmUpSeconds })
  report({ type: 'measuring' })
  const cpu = process.cpuUsage()
  const result = await new Drive(order.target, bodies).run(order.pace)
  const used = process.cpuUsage(cpu)
  report({
    type: 'done',
    result,
    parseUs: (before + parseCostUs(bodies.samples(), order.batch)) / 2,
    ownCpuSeconds: (used.user + used.system) / 1e6
  })
}

process.once('message', (order: LoadOrder) => {
  void work(order).then(
    () => process.disconnect(),
    error => {
      process.stderr.write(`load: ${String(error)}\n`)
      process.exitCode = 1
      process.disconnect()
    }
  )
})
