import type { Break } from './break.js'
import { EVALUATION } from './evaluation-breaks.js'
import { DURABILITY } from './durability-breaks.js'
import { ISOLATION } from './isolation-breaks.js'
import { SIGN_INS } from './sign-in-breaks.js'
import { BYTES_ON_DISK } from './deleted-data-breaks.js'
import { HOSTILE_INPUT } from './input-breaks.js'
import { FAULTS } from './fault-breaks.js'
import { NOTIFICATIONS } from './notification-breaks.js'
import { OPERATIONS } from './operation-breaks.js'
import { FORMATS } from './format-breaks.js'
import { BODIES } from './body-breaks.js'
import { DOORS } from './door-breaks.js'
import { MANAGED } from './managed-breaks.js'
import { READS } from './read-breaks.js'
import { HOSTS } from './host-breaks.js'
import { ALERTS } from './alert-breaks.js'
import { REDACTION } from './redaction-breaks.js'
import { SLOS } from './slo-breaks.js'
import { STREAMS } from './stream-breaks.js'

/** All promises, each with the tests that must notice when it is broken. */
export const BREAKS: readonly Break[] = [
  ...DURABILITY,
  ...ISOLATION,
  ...NOTIFICATIONS,
  ...SIGN_INS,
  ...BYTES_ON_DISK,
  ...HOSTILE_INPUT,
  ...FAULTS,
  ...OPERATIONS,
  ...READS,
  ...FORMATS,
  ...BODIES,
  ...MANAGED,
  ...DOORS,
  ...REDACTION,
  ...STREAMS,
  ...HOSTS,
  ...EVALUATION,
  ...ALERTS,
  ...SLOS
]
