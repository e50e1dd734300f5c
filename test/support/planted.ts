import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Files below `folder` that hold any of the strings, with the text: raw bytes, whatever the format. */
export async function filesHolding(folder: string, strings: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const content = await readFile(file).catch(() => Buffer.alloc(0))
    for (const text of strings) if (content.includes(text)) found.push(`${text} in ${file.slice(folder.length + 1)}`)
  }
  return found
}
