import * as enums from './enums.js'
import { registerEnum } from './register-shared-enums.js'

registerEnum('AlertSeverity', enums.AlertSeverity, 'How urgent an alert is: its label `severity`.', {
  INFO: 'For information.',
  WARNING: 'Requires attention soon.',
  CRITICAL: 'Requires attention at once.'
})
registerEnum('AlertState', enums.AlertState, 'State of an alert, and of a rule: the gravest of its alerts.', {
  INACTIVE: 'The condition is not met.',
  PENDING: 'The condition is met, but not long enough.',
  FIRING: 'The condition is met long enough.',
  RESOLVED: 'It was firing within the last 15 minutes.',
  NODATA: 'The condition has no data.',
  ERROR: 'Three evaluations in a row failed.',
  UNKNOWN: 'Not evaluated yet, or more than an hour of evaluations was skipped.'
})
registerEnum('SloAlertKind', enums.SloAlertKind, 'How urgent an alert of an SLO is (Google SRE Workbook, chapter 5).', {
  PAGE: 'Someone is to act at once.',
  TICKET: 'Someone is to act within days.'
})
registerEnum('SloDataState', enums.SloDataState, 'What is known of the window of an SLO.', {
  COMPLETE: 'All of it was counted.',
  PARTIAL: 'Minutes were not counted.',
  NO_TRAFFIC: 'It was counted, and there were no events.',
  NO_DATA: 'Nothing was counted.'
})
registerEnum('AlertOverlay', enums.AlertOverlay, 'What hides the notifications of an alert without changing its state.', {
  SILENCED: 'A silence matches it.',
  INHIBITED: 'Another alert that fires inhibits it.',
  MUTED: 'All of its routes are in a mute time.',
  ACKED: 'All of its groups were acknowledged: they are not repeated until they change.'
})
registerEnum('ThresholdOp', enums.ThresholdOp, 'How the value of a condition is compared with a threshold.', {
  GT: 'Greater.',
  GTE: 'Greater or equal.',
  LT: 'Less.',
  LTE: 'Less or equal.',
  EQ: 'Equal.',
  NEQ: 'Not equal.',
  OUTSIDE: 'Less than `threshold`, or greater than `upper`.',
  INSIDE: 'From `threshold` to `upper`.'
})
