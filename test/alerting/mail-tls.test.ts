import { afterEach, describe, expect, it } from '@jest/globals'
import { emailTestBody } from '../../src/alerting/notify/message/email-body.js'
import { MailClient } from '../../src/alerting/notify/target/mail-client.js'
import type { PostResult } from '../../src/alerting/notify/target/target-client.js'
import type { NamespaceId } from '../../src/domain/ids.js'
import { makeAuthority } from '../support/certificates.js'
import { type MailServer, openMailServer } from '../support/mail-server.js'
import { ManualTime } from '../support/manual-time.js'

/** An address of loopback that counts as another machine: passwords require TLS. */
const HOST = '127.0.0.2'
const PASSWORD = 'right'
const authority = makeAuthority()

let server: MailServer

afterEach(() => server.close())

/** Sends a message to the server, as a client that trusts this authority. */
function send(isTls: boolean, ca = authority.pem): Promise<PostResult> {
  const time = new ManualTime()
  const user = { name: 'alerts', password: PASSWORD }
  const settings = { host: HOST, port: server.port, isTls, user, from: 'alerts@alidade.example' }
  const mail = new MailClient({ settings, clock: time, timers: time, ca })
  const delivery = {
    ...{ id: 'm', namespaceId: 'shop' as NamespaceId, channelId: 'c', groupKey: null, createdAtMs: 0 },
    body: emailTestBody('mail', 'shop')
  }
  return mail.send({ to: 'ops@example.com', delivery, signal: new AbortController().signal })
}

describe.each(['starttls', 'implicit'] as const)('a mail server with TLS (%s)', kind => {
  const isTls = kind === 'implicit'
  const open = async (host: string): Promise<void> => {
    server = await openMailServer({ host: HOST, password: PASSWORD, tls: { kind, identity: authority.issue(host) } })
  }

  it('takes a message over TLS, and the password no sooner', async () => {
    await open(HOST)
    expect(await send(isTls)).toMatchObject({ status: 250, reason: null })
    expect(server.received).toMatchObject([{ user: 'alerts', isSecure: true, to: ['ops@example.com'] }])
  })

  it.each([
    ['of another authority', HOST, makeAuthority('another authority').pem],
    ['of another host', 'mail.example.com', authority.pem]
  ])('is sent nothing when its certificate is %s', async (_, host, ca) => {
    await open(host)
    const { status, reason } = await send(isTls, ca)
    expect([status, reason]).toEqual([null, expect.stringMatching(/TLS|certificate/i)])
    expect([server.passwords, server.sources]).toEqual([[], []])
  })
})
