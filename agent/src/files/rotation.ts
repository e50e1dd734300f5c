import { Glob } from './glob.js'
import { originalsOf } from './siblings.js'
import type { Source } from './source.js'
import type { StreamRecord } from './stream-record.js'

/** Where a file was found, and for which entry of the configuration. */
export interface SourcePlace {
  readonly path: string
  readonly source: Source
}

/**
 * Whether a rotation may have brought what a stream reads to a place: equal files of entries that have nothing to do with
 * each other are files of their own.
 */
export function isOfRotation({ path, source }: SourcePlace, stream: Pick<StreamRecord, 'path' | 'pattern'>): boolean {
  if (stream.pattern === source.glob.pattern || stream.path === path) return true
  if (originalsOf(path).includes(stream.path) || originalsOf(stream.path).includes(path)) return true
  return source.matches(stream.path) || new Glob(stream.pattern).matches(path)
}
