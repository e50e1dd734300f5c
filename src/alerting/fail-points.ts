/**
 * Places at which tests end or stop the process, in the order in which an alert passes them: its shard, its evaluation, the
 * notification of its event, the attempt to deliver it. `written` is inside of a transaction, `committed` after it.
 */
export const ALERT_FAIL_POINTS = [
  'shard.taken',
  'evaluation.read',
  'evaluation.folded',
  'evaluation.written',
  'evaluation.committed',
  'states.written',
  'states.committed',
  'recording.written',
  'notification.written',
  'notification.committed',
  'attempt.begun',
  'attempt.ended',
  'attempt.written',
  'attempt.committed'
] as const
/** The end of a lease here: given back, expired or taken by another process. */
export const SHARD_LOST = 'shard.lost'

/** Places of saved measures: steps are read, their samples written, then the progress. */
export const MEASURE_FAIL_POINTS = ['measure.read', 'measure.written', 'measure.advanced'] as const

/** Name of a place. */
export type AlertFailPoint = (typeof ALERT_FAIL_POINTS)[number] | (typeof MEASURE_FAIL_POINTS)[number] | typeof SHARD_LOST

/** Called at each place; does nothing outside of tests. */
export type ReachFailPoint = (point: AlertFailPoint) => void
