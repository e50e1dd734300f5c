import type { ServiceBasis } from './service-guess.js'
import type { Protocol } from './socket-table.js'

/** A listening socket and its process, as the agent reports it. */
export interface Listener {
  readonly protocol: Protocol
  readonly address: string
  readonly port: number
  /** Null where this user may not see the files of the process. */
  readonly pid: number | null
  readonly process: string | null
  /** Path of the program, as the kernel has it: with ` (deleted)` once its file is replaced. */
  readonly exe: string | null
  /** Command line without secrets. */
  readonly command: string | null
  readonly user: string | null
  readonly unit: string | null
  readonly container: string | null
  readonly service: string | null
  readonly serviceBasis: ServiceBasis | null
}
