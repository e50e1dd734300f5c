import { resolve } from 'node:path'
import { createApp } from './app.js'
import { firstRunFile } from './app/first-run.js'
import { keepFilesPrivate } from './app/private-files.js'
import type { App } from './app/running-app.js'
import type { Config } from './config/config.js'
import { VERSION } from './app/package-root.js'
import { configFromProcess } from './config/from-process.js'
import { helpText } from './config/help.js'
import { nodeFlags } from './config/node-flags.js'
import { createLogger } from './telemetry/logger.js'
import { diagnosisOf } from './domain/errors.js'
import { lowerThreadPriority } from './threads/lower-thread-priority.js'
import { v8Workers } from './threads/v8-workers.js'

const argv = process.argv.slice(2)

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** The listening addresses, in one sentence. */
function addressesText({ url, ingestUrl, otlpHttpUrl, otlpGrpcUrl }: App): string {
  const ingest = ingestUrl === url ? [] : [`accepts ingest on ${ingestUrl}`]
  const ports = [otlpHttpUrl && `${otlpHttpUrl} (HTTP)`, otlpGrpcUrl && `${otlpGrpcUrl} (gRPC)`].filter(Boolean)
  const otlp = ports.length === 0 ? [] : [`takes OTLP at ${ports.join(' and ')}`]
  return [`Alidade listens on ${url}`, ...ingest, ...otlp].join(' and ')
}

async function serve(config: Config): Promise<void> {
  // Whose garbage they collect is one and the same to them: that of a heavy query delayed the results of others.
  for (const thread of v8Workers(nodeFlags())) lowerThreadPriority(thread)
  const logger = createLogger(config.logLevel)
  const app = await createApp(config, { logger, print })
  let signals = 0
  const stop = (signal: NodeJS.Signals): void => {
    // A second signal ends the process at once.
    if (++signals > 1) process.exit(1)
    logger.info({ signal }, 'shutdown requested')
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
  const earlier = app.firstCredentials === null ? await firstRunFile(resolve(config.dataDir)) : null
  if (earlier !== null) print(`The password and the key of the first start are in ${earlier}`)
}

/** Why it did not start; a taken port is what happens most. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number }
  if (code !== 'EADDRINUSE') return diagnosisOf(error)
  return `${error.message}: another program has port ${port}; choose another with --port (--help lists the other ports)`
}

keepFilesPrivate()
if (argv.includes('--help')) print(helpText())
else if (argv.includes('--version')) print(VERSION)
else {
  serve(configFromProcess(argv)).catch((error: unknown) => {
    process.stderr.write(`Alidade could not start: ${reasonOf(error)}\n`)
    process.exit(1)
  })
}
