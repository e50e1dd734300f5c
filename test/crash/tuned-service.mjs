// The service as `npm start` runs it, but with bounds of the embedded store from the environment, so that seals and
// merges, which otherwise wait for 200,000 rows, happen every few hundred milliseconds; and with a fail point of alerts.
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
/** Writes each point that is reached, and sends the signal to this process at the armed one once it was passed often enough. */
function onAlertFailPoint(point) {
  writeSync(process.stdout.fd, `reached ${point}\n`)
  if (point === armed.point && passed++ === armed.skip) process.kill(process.pid, armed.signal)
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
