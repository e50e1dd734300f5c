import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Target } from '../../bench/load/connection.js'
import type { Session } from '../../bench/service/session.js'
import { CrashSite } from './crash-site.js'

/** A service to which an agent sends, and which is killed. */
export interface RotationSite {
  /** Where the agent sends. */
  readonly target: Target
  /** Reads; while all gateways run. */
  readonly session: Session
  /** Kills a gateway. @param draw from 0 to 1, which one. */
  kill(draw: number): Promise<void>
  /** Starts the gateway that was killed. */
  start(): Promise<void>
  /** Ends all. */
  close(): Promise<void>
}

/** Opens a site in a folder. */
export type OpenRotationSite = (folder: string) => Promise<RotationSite>

/** One service on embedded stores. */
export const openEmbeddedSite: OpenRotationSite = async folder => {
  const data = join(folder, 'data')
  await mkdir(data, { recursive: true })
  const site = await CrashSite.open(data)
  return {
    get target() {
      return site.target
    },
    get session() {
      return site.session
    },
    kill: () => site.service.stop('SIGKILL'),
    start: () => site.start(),
    close: () => site.service.stop('SIGKILL')
  }
}
