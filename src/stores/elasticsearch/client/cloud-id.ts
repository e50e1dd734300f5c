import { GatewayError } from '../../../domain/errors.js'

function malformed(): GatewayError {
  return new GatewayError('store_unavailable', 'elasticsearch_cloud_id is not a cloud id: copy it from the deployment’s page')
}

/** The URL that a cloud id means: `name:base64(host$elasticsearch$kibana)` (Elastic Cloud; self-made ids work too). */
export function cloudUrl(cloudId: string): string {
  const encoded = cloudId.slice(cloudId.indexOf(':') + 1)
  const [host = '', uuid = ''] = Buffer.from(encoded, 'base64').toString().split('$')
  const url = `https://${uuid}.${host}`
  if (uuid === '' || host === '' || !URL.canParse(url)) throw malformed()
  return new URL(url).origin
}
