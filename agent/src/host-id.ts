import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

const PREFIX = 'alidade-agent '
const DIGITS = 32

const MACHINE_ID = '/etc/machine-id'

/** An id of this machine, and what it is made of. */
export interface HostId {
  readonly id: string
  readonly from: string
}

/** Made of `/etc/machine-id`, which is confidential itself; of the host name without that file. */
export function hostId(readFile: (path: string) => string = path => readFileSync(path, 'utf8')): HostId {
  let machine = ''
  try {
    machine = readFile(MACHINE_ID).trim()
  } catch {
    // Containers have none.
  }
  const hash = createHash('sha256').update(PREFIX + (machine === '' ? hostname() : machine))
  return { id: hash.digest('hex').slice(0, DIGITS), from: machine === '' ? 'the host name' : MACHINE_ID }
}
