import type { Row } from '../report.js'
import { runLoad } from '../load/run-load.js'
import type { LoadDone } from '../load/run-load.js'
import type { LoadOrder } from '../load/worker.js'
import type { ServiceProcess } from '../service/service-process.js'

/** A load run with what the service spent on it. */
export interface MeasuredLoad {
  readonly load: LoadDone
  readonly httpCpuSeconds: number
  readonly storeCpuSeconds: number
  /** CPU of both processes in the seconds after the load: work that was put off. */
  readonly tailCpuSeconds: number
  readonly memoryMb: { readonly start: number; readonly end: number; readonly max: number }
}

const MEMORY_EVERY_MS = 2000
const TAIL_SECONDS = 5

/** Runs the load and reads CPU and memory of the service's processes around it. */
export async function measureLoad(service: ServiceProcess, order: LoadOrder, tailSeconds = TAIL_SECONDS): Promise<MeasuredLoad> {
  let before = service.cpu()
  const memory: number[] = []
  const timer = setInterval(() => memory.push(service.memoryMb()), MEMORY_EVERY_MS)
  const load = await runLoad(order, () => {
    before = service.cpu()
    memory.length = 0
    memory.push(service.memoryMb())
  }).finally(() => clearInterval(timer))
  const after = service.cpu()
  memory.push(service.memoryMb())
  await new Promise(resolve => setTimeout(resolve, tailSeconds * 1000))
  const tail = service.cpu()
  return {
    load,
    httpCpuSeconds: after.http - before.http,
    storeCpuSeconds: after.store - before.store,
    tailCpuSeconds: tail.http + tail.store - after.http - after.store,
    memoryMb: { start: memory[0]!, end: memory.at(-1)!, max: Math.max(...memory) }
  }
}

/** Slowest stretch of ten seconds, items a second: the rate that was held. */
export function heldRate(itemsPerSecond: readonly number[]): number {
  const width = Math.min(10, itemsPerSecond.length)
  if (width === 0) return Number.NaN
  let lowest = Number.POSITIVE_INFINITY
  for (let i = 0; i + width <= itemsPerSecond.length; i++) {
    const sum = itemsPerSecond.slice(i, i + width).reduce((a, b) => a + b, 0)
    lowest = Math.min(lowest, sum / width)
  }
  return lowest
}

/** The table row of a load run. */
export function loadRow(name: string, measured: MeasuredLoad): Row {
  const { result, parseUs, ownCpuSeconds } = measured.load
  const perItem = (seconds: number): number => (seconds * 1e6) / result.items
  const serverUs = perItem(measured.httpCpuSeconds + measured.storeCpuSeconds)
  return {
    run: name,
    'items/s': result.items / result.seconds,
    'lowest 10 s': heldRate(result.itemsPerSecond),
    'p50 ms': result.latencyMs.p50,
    'p99 ms': result.latencyMs.p99,
    'max ms': result.latencyMs.max,
    'http us/item': perItem(measured.httpCpuSeconds),
    'store us/item': perItem(measured.storeCpuSeconds),
    'JSON.parse us/item': parseUs,
    ratio: serverUs / parseUs,
    'tail CPU s': measured.tailCpuSeconds,
    'load us/item': perItem(ownCpuSeconds),
    'MB start/max/end': [measured.memoryMb.start, measured.memoryMb.max, measured.memoryMb.end].map(Math.round).join(' / '),
    refused:
      Object.entries(result.refused)
        .map(([status, n]) => `${n} x ${status}`)
        .join(', ') || '0'
  }
}

/** Sentences on what was refused, if anything was. */
export function refusalNotes(name: string, measured: MeasuredLoad): string[] {
  const { firstRefusal } = measured.load.result
  return firstRefusal === null ? [] : [`${name}: first refusal: ${firstRefusal}`]
}
