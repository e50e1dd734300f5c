// The service as `npm start` runs it, but with bounds of the embedded store from the environment, so that seals and
// merges, which otherwise wait for 200,000 rows, happen every few hundred milliseconds; and with a fail point of alerts.
import { execFileSync } from 'node:child_process'
import { writeSync } from 'node:fs'
import { createApp } from '../../dist/src/app.js'
import { configFromProcess } from '../../dist/src/config/from-process.js'
import { createLogger } from '../../dist/src/telemetry/logger.js'

const config = configFromProcess(process.argv.slice(2))
const storeLimits = JSON.parse(process.env.STORE_LIMITS_FOR_TESTS ?? '{}')
const armed = JSON.parse(process.env.ALERT_FAIL_POINT_FOR_TESTS ?? 'null')
delete process.env.STORE_LIMITS_FOR_TESTS
delete process.env.ALERT_FAIL_POINT_FOR_TESTS

let passed = 0
/** Reports each point that is reached; at the armed one, once it was passed often enough, this process ends or stops. */
function onAlertFailPoint(point) {
  const isArmed = point === armed.point && passed++ === armed.skip
  if (isArmed && armed.signal === 'SIGSTOP') return stopAndReport(point)
  writeSync(process.stdout.fd, `reached ${point}\n`)
  if (isArmed) process.kill(process.pid, armed.signal)
}

/**
 * Stops this process until it gets SIGCONT. A child stops it and then reports the point: if it did both itself, a reader of
 * the report could stop it in between, and it would stop a second time after the SIGCONT, for ever.
 */
function stopAndReport(point) {
  execFileSync('/bin/sh', ['-c', 'kill -s STOP "$PPID" && echo "reached $0"', point], { stdio: ['ignore', 'inherit', 'inherit'] })
}

try {
  const points = armed === null ? {} : { onAlertFailPoint }
  const app = await createApp(config, { logger: createLogger(config.logLevel), storeLimits, ...points })
  process.on('SIGTERM', () => {
    app.close().then(
      () => process.exit(0),
      error => {
        process.stderr.write(`stopping failed: ${error.message}\n`)
        process.exit(1)
      }
    )
  })
  await app.listen()
} catch (error) {
  process.stderr.write(`could not start: ${error.message}\n`)
  process.exit(1)
}
