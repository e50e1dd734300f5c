// The service as `npm start` runs it, but with bounds of the embedded store from the environment, so that seals and
// merges, which otherwise wait for 200,000 rows, happen every few hundred milliseconds.
import { createApp } from '../../dist/src/app.js'
import { configFromProcess } from '../../dist/src/config/from-process.js'
import { createLogger } from '../../dist/src/telemetry/logger.js'

const config = configFromProcess(process.argv.slice(2))
const storeLimits = JSON.parse(process.env.STORE_LIMITS_FOR_TESTS ?? '{}')
delete process.env.STORE_LIMITS_FOR_TESTS

try {
  const app = await createApp(config, { logger: createLogger(config.logLevel), storeLimits })
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
