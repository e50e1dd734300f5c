import type { Logger } from 'pino'
import type { Config } from '../config/config.js'
import { urlOf } from './addresses.js'

/** Where OpenTelemetry sends when it is told a host alone (OTLP specification 1.11). */
const DEFAULT_OTLP_PORTS = { otlpHttpPort: 4318, otlpGrpcPort: 4317 } as const

const NAMES = { otlpHttpPort: 'otlp_http_port', otlpGrpcPort: 'otlp_grpc_port' } as const
const WHAT = { otlpHttpPort: 'OTLP over HTTP', otlpGrpcPort: 'OTLP over gRPC' } as const

/** Both servers name the error of the system in what they say. */
function isTaken(error: unknown): boolean {
  return String(error).includes('EADDRINUSE')
}

/**
 * Binds a port of OTLP by `listen` and answers its URL. A port that the settings name must be free; the usual one is done
 * without when another program has it, since the API's port takes OTLP over HTTP as well. Null without it.
 */
export async function bindOtlpPort(
  { config, logger }: { readonly config: Config; readonly logger: Pick<Logger, 'warn'> },
  key: keyof typeof DEFAULT_OTLP_PORTS,
  listen: (port: number) => Promise<number>
): Promise<string | null> {
  const port = config[key] ?? DEFAULT_OTLP_PORTS[key]
  try {
    return urlOf(config.host, await listen(port))
  } catch (error) {
    if (!isTaken(error)) throw error
    const sentence = `port ${port} for ${WHAT[key]} is in use`
    const remedy = `set ${NAMES[key]} to a free port, or to 0 to disable it`
    if (config[key] !== null) throw new Error(`${sentence}: ${remedy}`, { cause: error })
    logger.warn(`${sentence}, so it is disabled; ${remedy}`)
    return null
  }
}
