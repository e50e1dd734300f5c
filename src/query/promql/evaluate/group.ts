import type { LabelSet } from '../labels.js'
import type { GridSeries } from './values.js'

/** A group of series and the labels that they have in common. */
export interface Group {
  readonly labels: LabelSet
  readonly members: readonly GridSeries[]
}

/** A function of the values of a group at one step; there is at least one. */
export type Fold = (values: Float64Array, step: number) => number
