import type { Notes } from '../evaluate/notes.js'
import type { QueryPosition } from '../syntax/ast.js'

/** Where to report irregular samples: at the range, with the name of the metric. */
export interface RangeReport {
  readonly name: string
  readonly notes: Notes
  readonly position: QueryPosition
}
