import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { freePort } from '../../bench/service/free-port.js'
import { withTemporaryFolder } from '../../bench/service/temporary-folder.js'
import { Gateway } from './gateway.js'
import { checkExample, checkWay, WAYS } from './sdks.js'
import { checkCollector, checkTelemetrygen } from './tools.js'

// npm run senders: OpenTelemetry's own senders against the service. Whatever is not installed is passed over, aloud.
// SENDERS_TOOLS: folder of telemetrygen and otelcol; SENDERS_PYTHON: a virtual environment with
// opentelemetry-distro and the exporters over HTTP and gRPC; the JS SDK: `npm ci` in examples/express-opentelemetry.

const REQUESTS = 20
const tools = process.env['SENDERS_TOOLS'] ?? null
const python = process.env['SENDERS_PYTHON'] ?? null
const hasExample = existsSync(fileURLToPath(new URL('../../examples/express-opentelemetry/node_modules', import.meta.url)))

let failures = 0
async function check(name: string, isThere: boolean, run: () => Promise<void>): Promise<void> {
  if (!isThere) return void process.stdout.write(`-  ${name}: not installed\n`)
  try {
    await run()
    process.stdout.write(`ok ${name}\n`)
  } catch (error) {
    failures++
    process.stdout.write(`!! ${name}: ${error instanceof Error ? error.stack : String(error)}\n`)
  }
}

await withTemporaryFolder('alidade-senders', async folder => {
  const gateway = await Gateway.start(join(folder, 'data'))
  try {
    for (const way of WAYS) {
      const name = `${way.sdk} SDK, ${way.protocol}, ${way.compression}`
      await check(name, way.sdk === 'js' ? hasExample : python !== null, () => checkWay(gateway, way, python))
    }
    await check('Express example', hasExample, async () => checkExample(gateway, REQUESTS, await freePort()))
    for (const protocol of ['http', 'grpc'] as const) {
      await check(`telemetrygen, ${protocol}`, tools !== null, () => checkTelemetrygen(gateway, tools!, protocol))
    }
    await check('Collector, killed service', tools !== null, () => checkCollector(gateway, tools!, folder))
  } finally {
    await gateway.stop()
  }
})
process.exitCode = failures === 0 ? 0 : 1
