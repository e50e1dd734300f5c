import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { OpenFile, sha256 } from './open-file.js'

export function isCompressed(path: string): boolean {
  return path.endsWith('.gz')
}

/**
 * Opens a file, a compressed one by its content, which is unpacked into `folder`. Throws when it cannot be read now: it is
 * not whole yet, rights are missing, the disk is full.
 */
export async function openContent(path: string, folder: string): Promise<OpenFile> {
  if (!isCompressed(path)) return OpenFile.open(path)
  const unpacked = join(folder, `unpacked-${sha256(path).slice(0, 16)}`)
  try {
    const { dev, ino, birthtimeMs: bornMs } = await stat(path)
    await pipeline(createReadStream(path), createGunzip(), createWriteStream(unpacked, { mode: 0o600 }))
    // Its name may go at once: the open file keeps the content.
    return await OpenFile.open(unpacked, { dev, ino, bornMs })
  } finally {
    await rm(unpacked, { force: true })
  }
}
