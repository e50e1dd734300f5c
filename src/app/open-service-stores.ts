import { Directory } from '../access/directory.js'
import type { Config } from '../config/config.js'
import type { OpenedStores, OpenStoresOptions } from '../stores/assemble/open.js'
import { openStores } from '../stores/assemble/open.js'
import { tightenDataFolder } from './private-files.js'
import { storeChoice } from './store-choice.js'

/** All stores of a service, and the directory of namespaces that they were opened with. */
export interface ServiceStores extends OpenedStores {
  readonly directory: Directory
}

/** Opens the stores that the settings choose. */
export async function openServiceStores(
  config: Config,
  {
    limits,
    ...given
  }: Omit<OpenStoresOptions, 'dataDir' | 'choice' | 'openDirectory' | 'maxSeries' | 'queryTimeoutMs' | 'cachedSampleBytes'>
): Promise<ServiceStores> {
  for (const sentence of await tightenDataFolder(config.dataDir)) given.logger.warn({}, sentence)
  const directories: Directory[] = []
  const stores = await openStores({
    ...given,
    dataDir: config.dataDir,
    choice: storeChoice(config),
    maxSeries: config.limitActiveSeries,
    queryTimeoutMs: config.queryTimeout,
    cachedSampleBytes: config.queryCache,
    limits: { maxSeries: config.limitActiveSeries, ...limits },
    openDirectory: async control => {
      const directory = new Directory(control, given.clock)
      await directory.load()
      directories.push(directory)
      return directory
    }
  })
  return { ...stores, directory: directories[0]! }
}
