import { GatewayError } from '../../domain/errors.js'

/** The error about data of a later format: this version cannot interpret it, and must not touch it. */
export function newerFormat(what: string, found: number, known: number): GatewayError {
  const remedy = 'start the newer version again, or restore a backup from before the upgrade'
  return new GatewayError(
    'conflict',
    `${what} has format ${found} of a newer version of Alidade; this version reads formats up to ${known}: ${remedy}`
  )
}
