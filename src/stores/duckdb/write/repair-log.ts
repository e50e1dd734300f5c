import { copyFile, truncate } from 'node:fs/promises'
import path from 'node:path'
import { syncFile, syncFolder } from '../../durable-files.js'
import { SetAside } from '../../set-aside.js'

const TORN_WAL = /wal.*byte position (\d+)/is
/** An entry that is whole and makes no sense to the hot file: the log belongs to another state of it. */
const FOREIGN_WAL = /^(?!IO Error|Out of Memory)[\w ]+ Error: Failure while replaying WAL/i

/** Cuts a log off where DuckDB says that it is damaged, with a copy next to it; null when `message` says nothing of that. */
export async function cutLog(walFile: string, message: string, nowMs: number): Promise<string | null> {
  const position = TORN_WAL.exec(message)?.[1]
  if (position === undefined) return null
  const aside = `${walFile}.damaged-${nowMs}`
  await copyFile(walFile, aside)
  await syncFile(aside)
  await syncFolder(path.dirname(aside))
  await truncate(walFile, Number(position))
  return `the write-ahead log was damaged at byte ${position}; what followed was set aside in ${path.basename(aside)}`
}

/** Moves a log to set-aside that does not fit the hot file, as after a restore of that alone; null when it is another failure. */
export async function removeForeignLog(walFile: string, message: string): Promise<string | null> {
  if (!FOREIGN_WAL.test(message)) return null
  const name = await (await SetAside.open(path.dirname(walFile))).move(walFile)
  return `the write-ahead log does not fit hot.duckdb (${message.split('\n', 1)[0]}): it was set aside as ${name}`
}
