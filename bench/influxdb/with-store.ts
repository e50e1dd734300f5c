import { influxdb } from '../../test/servers/influxdb.js'
import { RunningServer } from '../../test/servers/running-server.js'
import type { BenchOptions } from '../options.js'
import { ServiceProcess } from '../service/service-process.js'
import { withTemporaryFolder } from '../service/temporary-folder.js'

/** Runs a measurement against a fresh service over the metric store that `--store` names; an InfluxDB is started for it. */
export async function withStore<T>({ store, nodeArgs }: BenchOptions, work: (service: ServiceProcess) => Promise<T>): Promise<T> {
  const server = store === 'influxdb' ? await RunningServer.start(influxdb) : null
  try {
    const env = server === null ? {} : environmentOf(server)
    return await withTemporaryFolder('alidade-bench', async dataDir => {
      const service = await ServiceProcess.start({ dataDir, env, nodeArgs })
      try {
        return await work(service)
      } finally {
        await service.stop()
      }
    })
  } finally {
    await server?.stop()
  }
}

function environmentOf({ access: { url, token, org } }: RunningServer): Record<string, string> {
  return { ALIDADE_INFLUXDB_URL: url, ALIDADE_INFLUXDB_TOKEN: token!, ALIDADE_INFLUXDB_ORG: org! }
}
