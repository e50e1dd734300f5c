import type { ApiFetch } from './api-fetch.js'
import { freshName, must, register, type Tenant, textOf } from './tenants.js'

// Things of a tenant that a walk may spend.

/** A namespace that the tenant's admin has made. */
export async function spareNamespace(api: ApiFetch, tenant: Tenant): Promise<{ readonly id: string; readonly name: string }> {
  const name = freshName(tenant.marker)
  return { id: textOf(await must(api, 'POST /api/v1/namespaces', tenant.admin, { name }), 'id'), name }
}

/** The id of a query key. */
export async function spareKey(api: ApiFetch, tenant: Tenant): Promise<string> {
  const made = await must(api, 'POST /api/v1/keys', tenant.admin, { name: freshName(tenant.marker), kind: 'query' })
  return ((made.json['api_key'] ?? made.json) as { readonly id: string }).id
}

/** The id of a saved view with the tenant's marker in its name and state. */
export async function spareView(api: ApiFetch, { admin, marker }: Tenant): Promise<string> {
  const query = `mutation { saveView(input: { name: "${marker}", signal: LOGS, state: { q: "${marker}" } }) { savedView { id } } }`
  const made = await must(api, 'POST /api/v1/graphql', admin, { query })
  return textOf(made, 'data', 'saveView', 'savedView', 'id')
}

/** The name of a saved measure, with the tenant's marker in it. */
export async function spareMeasure(api: ApiFetch, { admin, marker }: Tenant): Promise<string> {
  const name = freshName(marker).replaceAll('-', '_')
  await must(api, 'POST /api/v1/measures', admin, { name, fn: 'count' })
  return name
}

/** A group of alert rules and a rule in it, with the tenant's marker in their names and labels. */
export async function spareRule(
  api: ApiFetch,
  { admin, marker }: Tenant
): Promise<{ readonly id: string; readonly groupId: string; readonly version: number }> {
  const name = freshName(marker)
  const groupId = textOf(await must(api, 'POST /api/v1/alerts/groups', admin, { name }), 'id')
  const rule = { alert: marker, expr: 'vector(1)', for: '1h', labels: { owner: marker }, group_id: groupId }
  const made = await must(api, 'POST /api/v1/alerts/rules', admin, rule)
  return { id: textOf(made, 'id'), groupId, version: made.json['version'] as number }
}

/** A webhook channel with the tenant's marker in its name. It receives nothing: its host has no address. */
export async function spareChannel(
  api: ApiFetch,
  { admin, marker }: Tenant
): Promise<{ readonly id: string; readonly name: string }> {
  const name = freshName(marker)
  const channel = { name, kind: 'webhook', target: 'https://receiver.invalid/hook' }
  return { id: textOf(await must(api, 'POST /api/v1/channels', admin, channel), 'channel', 'id'), name }
}

/** A test delivery of a new channel. */
export async function spareDelivery(api: ApiFetch, tenant: Tenant): Promise<{ readonly id: string; readonly channelId: string }> {
  const { id: channelId } = await spareChannel(api, tenant)
  const made = await must(api, `POST /api/v1/channels/${channelId}/test`, tenant.admin, {})
  return { id: textOf(made, 'delivery', 'id'), channelId }
}

/** The id of a silence with the tenant's marker in its comment. */
export async function spareSilence(api: ApiFetch, { admin, marker }: Tenant): Promise<string> {
  const silence = { matchers: [`owner="${marker}"`], ends_at: new Date(Date.now() + 60_000).toISOString(), comment: marker }
  return textOf(await must(api, 'POST /api/v1/silences', admin, silence), 'silence', 'id')
}

/** The name of a mute time, with the tenant's marker in it. */
export async function spareMuteTime(api: ApiFetch, { admin, marker }: Tenant): Promise<string> {
  const name = freshName(marker)
  await must(api, `PUT /api/v1/mute-times/${name}`, admin, { intervals: [{ weekdays: ['sunday'] }] })
  return name
}

/** An invitation that no one has accepted. */
export async function spareInvitation(
  api: ApiFetch,
  { namespaceId, admin }: Tenant
): Promise<{ readonly id: string; readonly token: string }> {
  const made = await must(api, `POST /api/v1/namespaces/${namespaceId}/invitations`, admin, { role: 'viewer' })
  return { id: textOf(made, 'invitation', 'id'), token: textOf(made, 'token') }
}

/** The id of a user who has joined the tenant's namespace. */
export async function spareMember(api: ApiFetch, tenant: Tenant): Promise<string> {
  const { token } = await spareInvitation(api, tenant)
  const made = await register(api, `${freshName(tenant.marker)}@example.com`, { invitation_token: token })
  return textOf(made, 'user', 'id')
}

/** An SLO to store, with the tenant's marker in its name. It counts no events. */
export function sloOf({ marker }: Tenant): Readonly<Record<string, unknown>> {
  return { name: freshName(marker), service: marker, objective: 99, indicator: { ratio: { bad: 'e_total', total: 't_total' } } }
}

/** The id of an SLO. */
export async function spareSlo(api: ApiFetch, tenant: Tenant): Promise<string> {
  return textOf(await must(api, 'POST /api/v1/slos', tenant.admin, sloOf(tenant)), 'id')
}

/** An SLO of the tenant to read, the same for all who do not spend it: each has a group of rules, of which there are few. */
export async function anySlo(api: ApiFetch, tenant: Tenant): Promise<{ readonly id: string; readonly version: number }> {
  const { json } = await must(api, 'GET /api/v1/slos', tenant.admin)
  const [slo] = json['slos'] as readonly { readonly id: string; readonly version: number }[]
  return slo ?? { id: await spareSlo(api, tenant), version: 1 }
}
