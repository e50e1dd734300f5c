import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

const CHUNK_BYTES = 1024 * 1024

/** Size and checksum of what a file holds. */
export interface FileSum {
  readonly bytes: number
  readonly crc: number
}

/** Reads a whole file, a megabyte at a time, and sums it up. */
export async function crcOfFile(path: string): Promise<FileSum> {
  const file = await open(path, 'r')
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    let bytes = 0
    let crc = 0
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, bytes)
      if (bytesRead === 0) return { bytes, crc }
      crc = crc32(chunk.subarray(0, bytesRead), crc)
      bytes += bytesRead
    }
  } finally {
    await file.close()
  }
}
