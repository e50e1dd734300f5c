import { APM_ERROR, type ApmError } from '../../../domain/records/error.js'
import { LOG, type LogRecord } from '../../../domain/records/log.js'
import { RUM_TABLE, type RumEvent } from '../../../domain/records/rum.js'
import { RecordEncoder } from './record-encoder.js'

/** Logs as columns of the `logs` table. */
export const LOG_ENCODER = new RecordEncoder<LogRecord>(LOG)

/** RUM events as columns of the `rum` table. */
export const RUM_ENCODER = new RecordEncoder<RumEvent>(RUM_TABLE)

/** APM errors as columns of the `errors` table. */
export const ERROR_ENCODER = new RecordEncoder<ApmError>(APM_ERROR)
