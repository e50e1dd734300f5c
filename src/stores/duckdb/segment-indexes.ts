import { gramIndexFile } from './gram-index.js'
import { idIndexFile } from './id-index.js'
import { traceIndexFile } from './trace-index.js'

const INDEX_FILES = [traceIndexFile, gramIndexFile, idIndexFile]

/** The paths of the indexes of a segment, those that it has and those that it could have. */
export function indexFilesOf(segment: string): readonly string[] {
  return INDEX_FILES.map(fileOf => fileOf(segment))
}

/** The segment whose index this is; null for other files. */
export function segmentOfIndex(file: string): string | null {
  const suffix = INDEX_FILES.map(fileOf => fileOf('')).find(end => file.endsWith(end))
  return suffix === undefined ? null : file.slice(0, -suffix.length)
}
