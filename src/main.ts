import { createApp } from './app.js'
import type { App } from './app/running-app.js'
import type { Config } from './config/config.js'
import { configFromProcess } from './config/from-process.js'
import { helpText } from './config/help.js'
import { createLogger } from './telemetry/logger.js'

const argv = process.argv.slice(2)

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** What answers where, in one sentence. */
function addressesText({ url, ingestUrl, otlpHttpUrl, otlpGrpcUrl }: App): string {
  const ingest = ingestUrl === url ? [] : [`takes ingest at ${ingestUrl}`]
  const ports = [otlpHttpUrl && `${otlpHttpUrl} (HTTP)`, otlpGrpcUrl && `${otlpGrpcUrl} (gRPC)`].filter(Boolean)
  const otlp = ports.length === 0 ? [] : [`takes OTLP at ${ports.join(' and ')}`]
  return [`Alidade answers at ${url}`, ...ingest, ...otlp].join(' and ')
}

async function serve(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel)
  const app = await createApp(config, { logger, print })
  let signals = 0
  const stop = (signal: NodeJS.Signals): void => {
    // Whoever asks twice does not want to wait.
    if (++signals > 1) process.exit(1)
    logger.info({ signal }, 'told to stop')
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.fatal({ err: error }, 'stopping failed')
        process.exit(1)
      }
    )
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  await app.listen().catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  print(addressesText(app))
}

if (argv.includes('--help')) print(helpText())
else {
  serve(configFromProcess(argv)).catch((error: unknown) => {
    process.stderr.write(`Alidade could not start: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  })
}
