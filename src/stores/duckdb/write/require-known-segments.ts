import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { newerFormat } from '../newer-format.js'
import { segmentFormat } from '../sealed-files.js'

/** Throws `conflict` when a segment has a later format than `format`, listed in a manifest or not. */
export async function requireKnownSegments(segmentsDir: string, format: number): Promise<void> {
  for (const entry of await readdir(segmentsDir, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    for (const name of await readdir(path.join(segmentsDir, entry.name))) {
      const found = segmentFormat(name)
      if (found > format) throw newerFormat(`the segment ${entry.name}/${name}`, found, format)
    }
  }
}
