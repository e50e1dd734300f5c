import type { DeliveryDeps } from '../deliver/delivery-deps.js'
import type { FaultLog } from '../fault-log.js'
import type { BufferedLines } from './buffered-lines.js'
import type { OpenFile } from './open-file.js'
import type { Source } from './source.js'
import type { SeenStream } from './stream-record.js'

/** A file in which a stream goes on. */
export interface Rest {
  readonly file: OpenFile
  /** It is at the path of the stream. */
  readonly isAtPath: boolean
}

/** What a stream needs of the agent. */
export interface StreamDeps extends DeliveryDeps {
  readonly buffered: BufferedLines
  /** Finds the file that goes on where a stream was cut off; null without one now. */
  readonly findRest: (seen: SeenStream, source: Source) => Promise<Rest | null>
  /** Finds the file that has the path of a stream whose own, open as `own`, is removed, and all of that; null without one. */
  readonly findReplacement: (seen: SeenStream, source: Source, own: OpenFile) => Promise<Rest | null>
  /** Called when a live file turns out to be truncated: rotations may have left more files. */
  readonly rotated: (path: string, source: Source) => void
  /** Called when a stream may go on. */
  readonly wake: () => void
  readonly faults: FaultLog
}
