import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFile, syncFolder } from './durable-files.js'
import { whenMissing } from './when-missing.js'

const BYTES = 8
const ID = /^[0-9a-f]{16}$/

/** The id of the gateway that owns a data folder, made at its first start and kept in `file`. */
export async function gatewayId(file: string): Promise<string> {
  const known = (await readFile(file, 'utf8').catch(whenMissing(''))).trim()
  if (ID.test(known)) return known
  const made = randomBytes(BYTES).toString('hex')
  await writeFile(file, `${made}\n`, { mode: 0o600 })
  await syncFile(file)
  await syncFolder(dirname(file))
  return made
}
