import { HttpError } from '@influxdata/influxdb-client'
import { GatewayError } from '../../../domain/errors.js'

const MAX_DETAIL_CHARS = 300

/** InfluxDB's own message about a refused request; null if a proxy responded, whose message may name servers. */
export function ownMessage({ body = '' }: HttpError): string | null {
  try {
    const { message } = JSON.parse(body) as { message?: unknown }
    return typeof message === 'string' ? message : null
  } catch {
    // Not JSON.
    return null
  }
}

/** What was stated of a refused request, for operators. */
function anyMessage(error: HttpError): string {
  return ownMessage(error) ?? (error.body || (error.statusMessage ?? ''))
}

/** The status of InfluxDB's response; undefined without one. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof HttpError ? error.statusCode : undefined
}

/**
 * The meaning of the failure of a whole request. All three codes mean: nothing is known to be stored, and the request may be
 * repeated, since a point that is stored twice is one point.
 */
export function storeError(error: unknown, doing: string): GatewayError {
  if (error instanceof GatewayError) return error
  if (!(error instanceof HttpError)) {
    const { message } = error as Error
    const diagnosis = `${doing}: InfluxDB cannot be reached: ${message}`
    return new GatewayError('store_unavailable', 'InfluxDB cannot be reached', { diagnosis, cause: error })
  }
  const sentence = `InfluxDB returned status ${error.statusCode}`
  const diagnosis = `${doing}: InfluxDB returned ${error.statusCode}: ${anyMessage(error).slice(0, MAX_DETAIL_CHARS)}`
  const retryAfterMs = error.retryAfter()
  const extras = { diagnosis, cause: error, ...(retryAfterMs > 0 && { retryAfterS: Math.ceil(retryAfterMs / 1000) }) }
  if (error.statusCode === 429) return new GatewayError('overloaded', sentence, { retryAfterS: 1, ...extras })
  const isFull = error.statusCode >= 500 && diagnosis.includes('no space left on device')
  if (isFull) return new GatewayError('storage_full', 'the disk of InfluxDB is full', extras)
  return new GatewayError('store_unavailable', sentence, extras)
}
