import type { MailSettings } from '../alerting/notify/target/mail-client.js'
import type { Config } from '../config/config.js'

const TLS_PORT = 465
/** Port of message submission. Source: RFC 6409. */
const PORT = 587

/** The mail server of the settings; null without one. */
export function mailSettingsOf({
  smtpUrl,
  smtpUsername: name,
  smtpPassword: password,
  smtpFrom: from
}: Pick<Config, 'smtpUrl' | 'smtpUsername' | 'smtpPassword' | 'smtpFrom'>): MailSettings | null {
  if (smtpUrl === null || from === null) return null
  const { protocol, hostname, port } = new URL(smtpUrl)
  const isTls = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isTls ? TLS_PORT : PORT) : Number(port),
    isTls,
    user: name === null || password === null ? null : { name, password },
    from
  }
}
