import type { LoadOrder } from '../load/worker.js'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import type { ServiceProcess } from '../service/service-process.js'
import { HeavyReaders } from './heavy-readers.js'
import { loadRow, measureLoad, refusalNotes } from './measured-load.js'
import { targetOf, withService } from './with-service.js'

interface Step {
  readonly name: string
  readonly rate: number | null
  readonly connections: number
  readonly heavyReaders: number
}

const BATCH = 200
const STEPS: readonly Step[] = [
  { name: '20k', rate: 20_000, connections: 64, heavyReaders: 0 },
  { name: '40k', rate: 40_000, connections: 64, heavyReaders: 0 },
  { name: 'max', rate: null, connections: 16, heavyReaders: 0 },
  { name: '20k+2heavy', rate: 20_000, connections: 64, heavyReaders: 2 }
]
const WARM_UP_SECONDS = 3

/** Logs in batches of 200 with durable acknowledgements: at 20k/s, at 40k/s, flat out, and with two heavy queries. */
export async function measureIngest(options: BenchOptions): Promise<Report> {
  const rows: Row[] = []
  const notes: string[] = []
  for (const step of STEPS.filter(step => options.only.length === 0 || options.only.includes(step.name))) {
    await withService(options, async service => {
      const order = orderOf(step, service, options)
      const readers = new HeavyReaders(service, step.heavyReaders)
      readers.start()
      const measured = await measureLoad(service, order)
      const reads = await readers.stop()
      rows.push({ ...loadRow(step.name, measured), ...(step.heavyReaders > 0 ? { 'heavy queries': reads.summary } : {}) })
      notes.push(...refusalNotes(step.name, measured))
    })
  }
  return { title: `Logs in batches of ${BATCH}, durable, ${options.seconds} s a run`, rows, notes }
}

function orderOf(step: Step, service: ServiceProcess, options: BenchOptions): LoadOrder {
  return {
    kind: 'logs',
    target: targetOf(service),
    batch: BATCH,
    seed: options.seed,
    warmUpSeconds: WARM_UP_SECONDS,
    pace: { connections: step.connections, rate: step.rate, seconds: options.seconds }
  }
}
