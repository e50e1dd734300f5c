/** Crash points of a request's way into the hot tables. */
export const WRITE_FAIL_POINTS = ['journal.synced', 'apply.committed', 'journal.removed'] as const
/** Crash points of everything that moves or removes data, in the order in which they are passed. */
export const FAIL_POINTS = [
  'seal.rotated',
  'columns.planned',
  'columns.refused',
  'seal.copied',
  'seal.synced',
  'seal.committed',
  'merge.copied',
  'merge.synced',
  'merge.committed',
  'retention.committed',
  'drop.marked',
  'drop.committed',
  'garbage.unlinked',
  'scrub.series',
  'scrub.filled',
  'scrub.done',
  'checkpoint.done',
  'shrink.moving',
  'shrink.moved'
] as const
/** Crash points of a start that brings a folder of an earlier format up to date. */
export const UPGRADE_FAIL_POINTS = ['upgrade.altering', 'upgrade.altered', 'upgrade.committed'] as const
/** Name of a place where a test makes the process fail. */
export type FailPoint = (typeof FAIL_POINTS | typeof WRITE_FAIL_POINTS | typeof UPGRADE_FAIL_POINTS)[number]

/** Ends the process the hard way at one named point; tests then open the data again. */
export class FailPoints {
  readonly #armed: string | null

  constructor(armed: string | null) {
    this.#armed = armed
  }

  /** Does nothing unless this point is armed. */
  reach(point: FailPoint): void {
    if (this.#armed === point) process.kill(process.pid, 'SIGKILL')
  }
}
