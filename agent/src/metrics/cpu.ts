import { counter, gauge, type MetricPoint } from './metric-point.js'

const STATES = ['user', 'nice', 'system', 'idle', 'wait', 'interrupt', 'softirq', 'steal'] as const
type State = (typeof STATES)[number]
/** USER_HZ: the unit of `/proc/stat` is a hundredth of a second on every architecture of Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/** What `/proc/stat` has of the processors. */
export interface CpuTimes {
  /** Seconds since the start, over all processors. */
  readonly seconds: Readonly<Record<State, number>>
  readonly count: number
  /** Processes since the start. */
  readonly created: number
}

/** Null for a text that is not `/proc/stat`. */
export function parseCpuTimes(text: string): CpuTimes | null {
  const lines = text.split('\n')
  const all = lines.find(line => line.startsWith('cpu '))
  if (all === undefined) return null
  const count = lines.filter(line => /^cpu\d/.test(line)).length
  const created = Number(lines.find(line => line.startsWith('processes '))?.split(' ')[1] ?? 0)
  return { seconds: secondsOf(all.slice('cpu '.length)), count, created }
}

/** @param ticks of the states, in their order; kernels before 2.6.11 have fewer. */
function secondsOf(ticks: string): Readonly<Record<State, number>> {
  const numbers = ticks.trim().split(/\s+/).map(Number)
  return Object.fromEntries(STATES.map((state, i) => [state, (numbers[i] ?? 0) / TICKS_PER_SECOND])) as Record<State, number>
}

/** Shares of each state between two reads, of 1; null without an earlier one, and when a processor was taken away between. */
function sharesBetween(before: CpuTimes | null, now: CpuTimes): Readonly<Record<State, number>> | null {
  if (before === null || before.count !== now.count) return null
  const spent = STATES.map(state => now.seconds[state] - before.seconds[state])
  // The kernel may correct idle and wait backwards by a few ticks.
  const clipped = spent.map(seconds => Math.max(0, seconds))
  const total = clipped.reduce((sum, seconds) => sum + seconds, 0)
  if (total === 0) return null
  return Object.fromEntries(STATES.map((state, i) => [state, clipped[i]! / total])) as Record<State, number>
}

/** Time and use of the processors. The use is that since the read before. */
export function cpuPoints(before: CpuTimes | null, now: CpuTimes): readonly MetricPoint[] {
  const shares = sharesBetween(before, now)
  const busy = shares === null ? null : 1 - shares.idle - shares.wait
  return [
    ...STATES.map(state => counter('system.cpu.time', now.seconds[state], { cpu: 'all', state })),
    ...(shares === null ? [] : STATES.map(state => gauge('system.cpu.utilization', shares[state], { state }))),
    ...(busy === null ? [] : [gauge('system.cpu.usage_percent', Math.min(100, Math.max(0, busy * 100)))]),
    gauge('system.cpu.logical.count', now.count),
    counter('system.processes.created', now.created)
  ]
}

/** Time of each processor, of `/proc/stat`. */
export function eachCpuPoints(text: string): readonly MetricPoint[] {
  return [...text.matchAll(/^cpu(\d+) (.*)$/gm)].flatMap(([, cpu, ticks]) => {
    const seconds = secondsOf(ticks!)
    return STATES.map(state => counter('system.cpu.time', seconds[state], { cpu: cpu!, state }))
  })
}

/** `/proc/loadavg`. */
export function loadPoints(text: string): readonly MetricPoint[] {
  const [one, five, fifteen] = text.split(' ').map(Number)
  const loads = [
    ['1m', one],
    ['5m', five],
    ['15m', fifteen]
  ] as const
  return loads.flatMap(([span, load]) =>
    load === undefined || Number.isNaN(load) ? [] : [gauge(`system.cpu.load_average.${span}`, load)]
  )
}

/** `/proc/uptime`. */
export function uptimePoints(text: string): readonly MetricPoint[] {
  const seconds = Number.parseFloat(text)
  return Number.isNaN(seconds) ? [] : [gauge('system.uptime', seconds)]
}
