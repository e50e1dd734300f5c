import { MissingTool } from './missing-tool.js'
import { RECIPES } from './recipes.js'
import { RunningServer } from './running-server.js'
import type { StartOptions } from './server-plan.js'
import { SERVERS, variablesOf, type ServerName } from './variables.js'

export interface ServersUp {
  /** Environment variables that name the servers. */
  readonly variables: Readonly<Record<string, string>>
  stop(): Promise<void>
}

type Report = (line: string) => void

/** Fills the cache for the named servers. One that this machine cannot run is reported, or an error where all are required. */
export async function fetchServers(names: readonly ServerName[], isRequired: boolean, report: Report): Promise<void> {
  await Promise.all(names.map(name => unlessMissing(name, isRequired, report, () => RECIPES[name].fetch())))
}

/** Starts the named servers concurrently; like `fetchServers` for those that cannot run here. */
export async function startServers(
  names: readonly ServerName[],
  options: StartOptions,
  isRequired: boolean,
  report: Report
): Promise<ServersUp> {
  const starts = names.map(name =>
    unlessMissing(name, isRequired, report, async () => ({ name, server: await RunningServer.start(RECIPES[name], options) }))
  )
  const settled = await Promise.allSettled(starts)
  const up = settled.flatMap(start => (start.status === 'fulfilled' && start.value ? [start.value] : []))
  const stop = async () => void (await Promise.all(up.map(({ server }) => server.stop())))
  const failed = settled.find(start => start.status === 'rejected')
  if (failed) {
    await stop()
    throw failed.reason
  }
  return { variables: Object.assign({}, ...up.map(({ name, server }) => variablesOf(name, server.access))), stop }
}

async function unlessMissing<T>(
  name: ServerName,
  isRequired: boolean,
  report: Report,
  work: () => Promise<T>
): Promise<T | undefined> {
  const { label } = SERVERS[name]
  const startedMs = Date.now()
  try {
    const done = await work()
    report(`${label}: ready after ${((Date.now() - startedMs) / 1000).toFixed(1)} s`)
    return done
  } catch (error) {
    if (!(error instanceof MissingTool) || isRequired) throw new Error(`${label}: ${(error as Error).message}`, { cause: error })
    report(`${label}: skipped. ${error.message}.`)
    return undefined
  }
}
