import type { Account } from './account.js'
import type { ServerAccess } from './variables.js'

export interface StartOptions {
  /** Nodes of OpenSearch, all in one process; 1 when absent. */
  readonly openSearchNodes?: number
}

/** How one server is fetched and run. */
export interface ServerRecipe {
  /** Puts into the cache what the server needs; throws MissingTool when it cannot run on this machine. */
  fetch(): Promise<void>
  /** Writes configuration and data folders below `folder`, which is empty and belongs to this server alone. */
  prepare(folder: string, options: StartOptions): Promise<ServerPlan>
}

export interface ServerCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** One prepared server, ready to be started and started again on the same data. */
export interface ServerPlan {
  /** Who runs it; this process's own account when undefined. */
  readonly account: Account | undefined
  /** What makes it end in an orderly way. */
  readonly stopSignal: 'SIGTERM' | 'SIGINT'
  /** The port of a first start; 0 where the server chooses one itself. */
  choosePort(): Promise<number>
  command(port: number): ServerCommand
  /** The port that the server's output names, as soon as it does. */
  servingPort(output: string): number | undefined
  accessOn(port: number): ServerAccess
  isReady(access: ServerAccess): Promise<boolean>
  /** Makes users or tokens, after every start. */
  setUp?(access: ServerAccess): Promise<void>
}
