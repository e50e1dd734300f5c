import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchOptions } from '../options.js'
import type { Report, Row } from '../report.js'
import { ServiceProcess } from '../service/service-process.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'

/** Time from the start of the process until it is ready, on an empty folder and again; memory at rest. */
export async function measureStartup(options: BenchOptions): Promise<Report> {
  const rows: Row[] = []
  for (let i = 0; i < options.repeats; i++)
    rows.push(await withTemporaryFolder('alidade-bench', folder => oneStart(folder, options)))
  return { title: 'Start', rows, notes: [] }
}

async function oneStart(dataDir: string, options: BenchOptions): Promise<Row> {
  const timed = async (): Promise<{ service: ServiceProcess; ms: number }> => {
    const startedAt = performance.now()
    const service = await ServiceProcess.start({ dataDir, nodeArgs: options.nodeArgs })
    return { service, ms: performance.now() - startedAt }
  }
  const first = await timed()
  await sleep(options.restSeconds * 1000)
  const memoryMb = first.service.memoryMb()
  const stoppingAt = performance.now()
  await first.service.stop()
  const stopMs = performance.now() - stoppingAt
  const second = await timed()
  await second.service.stop()
  return { 'first ms': first.ms, 'again ms': second.ms, 'stop ms': stopMs, [`MB after ${options.restSeconds} s`]: memoryMb }
}
