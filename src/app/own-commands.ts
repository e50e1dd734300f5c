import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../config/config.js'
import { FairScheduler } from '../ingest/fair-scheduler.js'
import { PatternKeeper } from '../ingest/patterns/pattern-keeper.js'
import type { Logger } from '../ports/logger.js'
import { CONTROL_FOLDER } from '../stores/assemble/backup.js'
import { monitorJobs } from '../telemetry/background-jobs.js'
import { createLogger } from '../telemetry/logger.js'
import { systemClock } from '../telemetry/system-clock.js'
import { systemTimers } from '../threads/system-timers.js'
import { callService, type AdminCommands, type ServiceResponse } from './admin-channel.js'
import { createAdminCommands } from './admin-commands.js'
import { createFirstRunWatch } from './first-run-watch.js'
import { openServiceStores, type ServiceStores } from './open-service-stores.js'

/** Throws when `dataDir` is not a data folder. */
export async function requireControl(dataDir: string): Promise<void> {
  await access(join(dataDir, CONTROL_FOLDER)).catch(() => {
    throw new Error(`${dataDir} does not contain an Alidade data folder; set --data-dir`)
  })
}

/** Calls a command. */
export type CallCommand = (command: string, input: object) => Promise<ServiceResponse>

function keeperOf({ control }: ServiceStores, logger: Logger): PatternKeeper {
  return new PatternKeeper({
    catalog: control.patterns,
    // Nothing else is computed meanwhile.
    scheduler: new FairScheduler(0),
    clock: systemClock,
    timers: systemTimers,
    seed: randomBytes(4).readInt32LE(),
    onError: (error, what) => logger.error({ err: error }, `${what} failed`)
  })
}

function ownCommands(stores: ServiceStores, dataDir: string, logger: Logger): AdminCommands {
  const firstRun = createFirstRunWatch(stores.control, dataDir, systemClock)
  return createAdminCommands(stores, {
    clock: systemClock,
    patterns: keeperOf(stores, logger),
    onPasswordChanged: () => firstRun.check()
  })
}

async function withOwnStores<T>(config: Config, work: (call: CallCommand) => Promise<T>): Promise<T> {
  const dataDir = resolve(config.dataDir)
  if (config.databaseUrl === null) await requireControl(dataDir)
  const logger = createLogger('warn')
  const jobs = monitorJobs({ clock: systemClock, logger })
  const stores = await openServiceStores(config, { clock: systemClock, logger, jobs })
  try {
    const commands = ownCommands(stores, dataDir, logger)
    return await work(async (command, input) => (await commands[command]!({ ...input })) as ServiceResponse)
  } finally {
    await stores.close()
  }
}

/** Gives `work` the commands of the running service or, when none runs on the data folder, those over stores of its own. */
export async function withCommands<T>(config: Config, work: (call: CallCommand) => Promise<T>): Promise<T> {
  const dataDir = resolve(config.dataDir)
  if ((await callService(dataDir, 'health', {})) === null) return withOwnStores(config, work)
  return work(async (command, input) => {
    const response = await callService(dataDir, command, input)
    if (response === null) throw new Error('the service does not respond any more; run the command again when it does')
    return response
  })
}
