import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

const PREFIX = 'alidade-agent '
const DIGITS = 32

/** An id of this machine, made of `/etc/machine-id`, which is confidential itself; of the host name without that file. */
export function hostId(readFile: (path: string) => string = path => readFileSync(path, 'utf8')): string {
  let source = hostname()
  try {
    source = readFile('/etc/machine-id').trim() || source
  } catch {
    // Containers have none.
  }
  return createHash('sha256')
    .update(PREFIX + source)
    .digest('hex')
    .slice(0, DIGITS)
}
