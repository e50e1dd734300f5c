import type { RunningService } from '../support/running-service.js'
import { spareChannel, spareDelivery, spareMuteTime, spareSilence } from '../support/spare-things.js'
import { freshName, must, type Tenant } from '../support/tenants.js'
import type { Call, Walk } from './isolation-walk.js'

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString()
const DELETED = (): string => ''
const channel = async (tenant: Tenant, { api }: RunningService): Promise<Call> => ({
  path: { id: (await spareChannel(api, tenant)).id }
})
const channelBody = (tenant: Tenant): Readonly<Record<string, unknown>> => ({
  name: freshName(tenant.marker),
  kind: 'webhook',
  target: 'https://receiver.invalid/hook'
})
const muteTime = async (tenant: Tenant, { api }: RunningService): Promise<Call> => ({
  path: { name: await spareMuteTime(api, tenant) },
  body: { intervals: [{ months: ['may'] }] }
})
const delivery = async (tenant: Tenant, { api }: RunningService): Promise<Call> => {
  const { id, channelId } = await spareDelivery(api, tenant)
  return { path: { id: channelId, delivery_id: id } }
}
const tested = (): string => '"webhook.test"'

/** Channels, routing, silences and mute times in REST. */
export const NOTIFICATION_WALKS: Readonly<Record<string, Walk>> = {
  listChannels: {
    as: 'reader',
    call: async (tenant, { api }) => {
      await spareChannel(api, tenant)
      return {}
    }
  },
  createChannel: { as: 'admin', call: tenant => ({ body: channelBody(tenant) }) },
  getChannel: { as: 'reader', call: channel },
  replaceChannel: {
    as: 'admin',
    call: async (tenant, service) => ({ ...(await channel(tenant, service)), body: channelBody(tenant) })
  },
  deleteChannel: { as: 'admin', call: channel, sees: DELETED },
  rotateChannelSecret: { as: 'admin', call: channel },
  testChannel: { as: 'admin', call: channel, sees: tested, isForMembers: true },
  listDeliveries: { as: 'reader', call: delivery, sees: tested },
  retryDelivery: { as: 'admin', call: delivery, sees: tested, isForMembers: true },
  ackAlerts: {
    as: 'admin',
    call: ({ marker }) => ({ body: { group_key: `{}:{owner="${marker}"}` } }),
    sees: () => '"acknowledged":false',
    isForMembers: true
  },
  getRouting: { as: 'reader', call: () => ({}), sees: () => '"document"' },
  setRouting: {
    as: 'admin',
    call: async (tenant, { api }) => {
      const { json } = await must(api, 'GET /api/v1/routing', tenant.admin)
      return { body: { version: json['version'], document: { route: { routes: [{ matchers: [`owner="${tenant.marker}"`] }] } } } }
    },
    isForMembers: true
  },
  listSilences: {
    as: 'reader',
    call: async (tenant, { api }) => {
      await spareSilence(api, tenant)
      return {}
    }
  },
  createSilence: {
    as: 'admin',
    call: ({ marker }) => ({ body: { matchers: [`owner="${marker}"`], ends_at: inAnHour(), comment: marker } }),
    isForMembers: true
  },
  expireSilence: {
    as: 'admin',
    call: async (tenant, { api }) => ({ path: { id: await spareSilence(api, tenant) } }),
    isForMembers: true
  },
  previewSilence: { as: 'reader', call: ({ marker }) => ({ body: { matchers: [`owner="${marker}"`] } }), sees: () => '"alerts"' },
  listMuteTimes: {
    as: 'reader',
    call: async (tenant, { api }) => {
      await spareMuteTime(api, tenant)
      return {}
    }
  },
  saveMuteTime: { as: 'admin', call: muteTime, isForMembers: true },
  deleteMuteTime: {
    as: 'admin',
    call: async (tenant, service) => ({ path: (await muteTime(tenant, service)).path! }),
    sees: DELETED,
    isForMembers: true
  }
}
