import { ServiceProcess } from '../service/service-process.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'
import type { Target } from '../load/connection.js'
import type { BenchOptions } from '../options.js'

/** Runs a measurement against a fresh service; the service is stopped and, unless kept by --data-dir, its data removed. */
export async function withService<T>(options: BenchOptions, work: (service: ServiceProcess) => Promise<T>): Promise<T> {
  const run = async (dataDir: string): Promise<T> => {
    const service = await ServiceProcess.start({ dataDir, nodeArgs: options.nodeArgs })
    try {
      return await work(service)
    } finally {
      await service.stop()
    }
  }
  return options.dataDir === null ? withTemporaryFolder('alidade-bench', run) : run(options.dataDir)
}

/** Where load for the service's own namespace goes. */
export function targetOf(service: ServiceProcess): Target {
  return { host: '127.0.0.1', port: service.port, apiKey: service.firstRun().apiKey }
}
