import { counter, gauge, type MetricPoint } from './metric-point.js'

const BYTES_PER_KB = 1024

/** Names and numbers of `/proc/meminfo` (in bytes) or `/proc/vmstat` (as they are). */
export function parseNumbers(text: string): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>()
  for (const line of text.split('\n')) {
    const found = /^([^\s:]+):?\s+(\d+)( kB)?$/.exec(line)
    if (found) numbers.set(found[1]!, Number(found[2]) * (found[3] === undefined ? 1 : BYTES_PER_KB))
  }
  return numbers
}

/** Memory and swap. What is used is what is not available, since caches are given back. */
export function memoryPoints(meminfo: ReadonlyMap<string, number>): readonly MetricPoint[] {
  const of = (name: string): number => meminfo.get(name) ?? 0
  const total = of('MemTotal')
  if (total === 0) return []
  // Kernels before 3.14 do not have it.
  const available = meminfo.get('MemAvailable') ?? of('MemFree') + of('Buffers') + of('Cached')
  const used = total - available
  const states = { used, free: of('MemFree'), cached: of('Cached'), buffered: of('Buffers'), slab: of('Slab') }
  const swapFree = of('SwapFree')
  return [
    ...Object.entries(states).flatMap(([state, bytes]) => [
      gauge('system.memory.usage', bytes, { state }),
      gauge('system.memory.utilization', bytes / total, { state })
    ]),
    gauge('system.memory.limit', total),
    gauge('system.memory.usage_percent', (used / total) * 100),
    gauge('system.linux.memory.available', available),
    gauge('system.paging.usage', of('SwapTotal') - swapFree, { state: 'used' }),
    gauge('system.paging.usage', swapFree, { state: 'free' })
  ]
}

/** Page faults since the start, of `/proc/vmstat`. */
export function pagingPoints(vmstat: ReadonlyMap<string, number>): readonly MetricPoint[] {
  const all = vmstat.get('pgfault')
  const major = vmstat.get('pgmajfault')
  if (all === undefined || major === undefined) return []
  return [
    counter('system.paging.faults', major, { type: 'major' }),
    counter('system.paging.faults', all - major, { type: 'minor' })
  ]
}
