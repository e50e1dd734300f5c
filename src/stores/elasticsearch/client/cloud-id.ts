import { GatewayError } from '../../../domain/errors.js'
import type { SettingType } from '../../../settings/value-types.js'

function malformed(): GatewayError {
  return new GatewayError('store_unavailable', 'elasticsearch_cloud_id is not a cloud id: copy it from the deployment’s page')
}

/** A host or an id, and the port behind it, if there is one. */
function withPort(part: string): readonly [name: string, port: string] {
  const [name = '', port = ''] = part.split(':')
  return [name, port]
}

/**
 * The URL that a cloud id means: `name:base64(host$elasticsearch$kibana)`, each part with a port of its own if it likes, as
 * the clients of Elastic read it. Self-made ids work too.
 */
export function cloudUrl(cloudId: string): string {
  // Base64 has no colon; a name may.
  const encoded = cloudId.slice(cloudId.lastIndexOf(':') + 1)
  const [domain = '', elasticsearch = ''] = Buffer.from(encoded, 'base64').toString().split('$')
  const [host, commonPort] = withPort(domain)
  const [id, ownPort] = withPort(elasticsearch)
  const port = ownPort || commonPort
  const url = `https://${id}.${host}${port === '' ? '' : `:${port}`}`
  if (id === '' || host === '' || !URL.canParse(url)) throw malformed()
  return new URL(url).origin
}

/** `name:` and the Base64 text of `host$cluster[$kibana]`, as Elastic Cloud shows it. */
export const cloudId: SettingType<string> = {
  words: 'a cloud id of Elastic Cloud',
  parse: raw => {
    const decoded = Buffer.from(raw.slice(raw.lastIndexOf(':') + 1), 'base64').toString('utf8')
    return /^[a-z0-9.-]+(?::\d+)?\$[a-z0-9-]+/i.test(decoded) ? raw : undefined
  }
}
