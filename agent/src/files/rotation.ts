import { basename } from 'node:path'
import { Glob } from './glob.js'
import { type FilePlace, isSamePlace } from './open-file.js'
import { originalsOf } from './siblings.js'
import type { Source } from './source.js'
import type { StreamRecord } from './stream-record.js'

/** Where a file was found, and for which entry of the configuration. */
export interface SourcePlace {
  readonly path: string
  readonly source: Source
  /** Of the file on its disk. */
  readonly file: FilePlace
}

/** What is known of a stream that may have read the file. */
export interface RotatedStream {
  readonly record: StreamRecord
  /** Whether its path leads to the file that it reads. */
  readonly isLive: boolean
}

/** Whether a rotation may have moved a file to another folder: under its name when it is gone from its path, else under one made of it. */
function isMoved(path: string, stream: RotatedStream): boolean {
  const [name, former] = [basename(path), basename(stream.record.path)]
  return name === former ? !stream.isLive : originalsOf(name).includes(former)
}

/**
 * Whether a rotation may have brought what a stream reads to a place: equal files of entries that have nothing to do with
 * each other are files of their own.
 */
export function isOfRotation({ path, source, file }: SourcePlace, stream: RotatedStream): boolean {
  const { record } = stream
  if (record.pattern === source.glob.pattern || record.path === path || isSamePlace(file, record)) return true
  if (originalsOf(path).includes(record.path) || originalsOf(record.path).includes(path)) return true
  return isMoved(path, stream) || source.matches(record.path) || new Glob(record.pattern).matches(path)
}
