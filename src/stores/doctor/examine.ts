import { examinePostgres } from '../control/examine-postgres.js'
import { examineFolder } from './examine-folder.js'
import type { Finding } from '../shared/finding.js'
import type { EmbeddedOptions } from '../assemble/open-embedded.js'
import type { StoreChoice } from '../shared/store-choice.js'

/** What is examined. */
export interface Examined extends EmbeddedOptions {
  readonly dataDir: string
  readonly choice: StoreChoice
  /** Whether the service runs on this data folder: the embedded stores are then left to it. */
  readonly isRunning: boolean
}

/** Connects to each store that is chosen, whether or not the service runs, and tells what was found. Leaves nothing behind. */
export async function examineStores({ dataDir, choice, isRunning, ...embedded }: Examined): Promise<readonly Finding[]> {
  const { clock } = embedded
  const findings = await Promise.all([
    examineFolder(dataDir, choice, isRunning ? null : embedded),
    ...choice.managed.map(engine => engine.examine(clock)),
    choice.databaseUrl === null ? [] : examinePostgres(choice.databaseUrl, clock)
  ])
  return findings.flat()
}
