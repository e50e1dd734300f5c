import { parentPort, workerData } from 'node:worker_threads'
import { isGatewayError } from '../../../domain/errors.js'
import type { Logger } from '../../../ports/logger.js'
import type { QuerySettings } from '../../../query/settings.js'
import { systemClock } from '../../../telemetry/system-clock.js'
import type { RuleJob } from '../rule-job.js'
import { runRuleJob } from '../run-rule-job.js'
import type { FromRuleThread } from './messages.js'

const QUIET: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function outcome(): Promise<FromRuleThread> {
  const { job, settings } = workerData as { readonly job: RuleJob; readonly settings: QuerySettings }
  try {
    return { kind: 'done', result: await runRuleJob(job, { settings, clock: systemClock, logger: QUIET }) }
  } catch (error) {
    if (isGatewayError(error, 'invalid_field')) return { kind: 'refused', detail: error.message }
    throw error
  }
}

parentPort!.postMessage(await outcome(), [])
