import { writeFile } from 'node:fs/promises'

/**
 * Writes what `build` makes into a new file, and returns its bytes; 0 without a file, when it makes null or the memory of
 * the engine does not suffice: a segment must not wait for its index, and is read without.
 */
export async function writeIndexFile(file: string, build: () => Promise<Buffer | null>): Promise<number> {
  try {
    const bytes = await build()
    if (bytes) await writeFile(file, bytes, { flag: 'wx' })
    return bytes?.length ?? 0
  } catch (error) {
    if ((error as Error).message.startsWith('Out of Memory')) return 0
    throw error
  }
}
