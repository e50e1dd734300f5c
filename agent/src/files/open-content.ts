import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { OpenFile, sha256 } from './open-file.js'

/** Formats of other programs, which Node 20 cannot unpack. */
const OTHER_FORMATS = /\.(zst|xz|lzma|bz2|lz4|lzo|Z|zip|7z)$/

/** A file of which it is known that it can never be read. */
export class UnreadableFormatError extends Error {
  override readonly name = 'UnreadableFormatError'
}

/** The extension of a compressed file that cannot be read; null for any other. */
export function unreadableFormat(path: string): string | null {
  return OTHER_FORMATS.exec(path)?.[1] ?? null
}

/** Whether a path names a compressed file. */
export function isCompressed(path: string): boolean {
  return path.endsWith('.gz') || unreadableFormat(path) !== null
}

/**
 * Opens a file, a compressed one by its content, which is unpacked into `folder`. Throws when it cannot be read now: it is
 * not whole yet, rights are missing, the disk is full; an `UnreadableFormatError` when it never can be.
 */
export async function openContent(path: string, folder: string): Promise<OpenFile> {
  const format = unreadableFormat(path)
  if (format !== null)
    throw new UnreadableFormatError(
      `compressed with ${format}, and not read; rotate with gzip, or compress later (delaycompress)`
    )
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
