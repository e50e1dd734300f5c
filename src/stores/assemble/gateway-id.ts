import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFile, syncFolder } from '../disk/durable-files.js'
import { whenMissing } from '../disk/when-missing.js'

const BYTES = 8
const ID = /^[0-9a-f]{16}$/
/** Starts whose counts were never withdrawn; those of older ones are forgotten by age. */
const MAX_EARLIER = 32

/** The id of one running gateway: each start makes its own, so that a copy of a data folder is another gateway. */
export interface GatewayId {
  readonly id: string
  /** Ids of earlier starts in this folder that may still be on the waiting board. */
  readonly earlier: readonly string[]
  /** To be called once nothing of earlier starts is on the board. */
  forgetEarlier(): Promise<void>
}

/** Written to a second file and renamed, so that a half-written file never replaces a complete one. */
async function keep(file: string, ids: readonly string[]): Promise<void> {
  const fresh = `${file}.new`
  await writeFile(fresh, ids.map(id => `${id}\n`).join(''), { mode: 0o600 })
  await syncFile(fresh)
  await rename(fresh, file)
  await syncFolder(dirname(file))
}

/** Makes an id for this start and notes it in `file` of the data folder, in front of those of earlier starts. */
export async function takeGatewayId(file: string): Promise<GatewayId> {
  const lines = (await readFile(file, 'utf8').catch(whenMissing(''))).split('\n')
  const earlier = lines.filter(line => ID.test(line)).slice(0, MAX_EARLIER)
  const id = randomBytes(BYTES).toString('hex')
  await keep(file, [id, ...earlier])
  return { id, earlier, forgetEarlier: () => keep(file, [id]) }
}
