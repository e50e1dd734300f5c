import { spareChannel, spareDelivery, spareMuteTime, spareSilence } from '../support/spare-things.js'
import { freshName, must, type Tenant } from '../support/tenants.js'
import type { ApiFetch } from '../support/api-fetch.js'
import type { Walk } from './isolation-field-walk.js'

const channelInput = ({ marker }: Tenant): string =>
  `input: { name: "${freshName(marker)}", kind: WEBHOOK, target: "https://receiver.invalid/hook" }`
const channel = async (tenant: Tenant, api: ApiFetch): Promise<string> => `id: "${(await spareChannel(api, tenant)).id}"`
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString()
const tested = (): string => '"webhook.test"'
const DELETED = (): string => '"data":{'

/** Root fields of queries about notifications. */
export const NOTIFICATION_QUERIES: Readonly<Record<string, Walk>> = {
  alertRouting: { args: () => '', sees: () => '"document"' },
  muteTimes: {
    args: async (tenant, api) => {
      await spareMuteTime(api, tenant)
      return ''
    }
  },
  notificationChannels: {
    args: async (tenant, api) => {
      await spareChannel(api, tenant)
      return ''
    }
  },
  silencePreview: { args: ({ marker }) => `matchers: ["owner=\\"${marker}\\""]`, sees: () => '"silencePreview":[' },
  silences: {
    args: async (tenant, api) => {
      await spareSilence(api, tenant)
      return 'active: true'
    }
  }
}

/** Root fields of mutations of notifications. */
export const NOTIFICATION_MUTATIONS: Readonly<Record<string, Walk>> = {
  ackAlerts: { args: ({ marker }) => `groupKey: "{}:{owner=\\"${marker}\\"}"`, sees: () => 'NOT_FOUND', isForMembers: true },
  createSilence: {
    args: ({ marker }) => `input: { matchers: ["owner=\\"${marker}\\""], endsAt: "${inAnHour()}", comment: "${marker}" }`,
    isForMembers: true
  },
  deleteMuteTime: { args: async (tenant, api) => `name: "${await spareMuteTime(api, tenant)}"`, isForMembers: true },
  deleteNotificationChannel: { args: channel, sees: DELETED },
  expireSilence: { args: async (tenant, api) => `id: "${await spareSilence(api, tenant)}"`, isForMembers: true },
  retryDelivery: {
    args: async (tenant, api) => `id: "${(await spareDelivery(api, tenant)).id}"`,
    sees: tested,
    isForMembers: true
  },
  rotateChannelSecret: { args: channel },
  saveMuteTime: {
    args: ({ marker }) => `name: "${freshName(marker)}", intervals: [{ weekdays: ["sunday"] }]`,
    isForMembers: true
  },
  saveNotificationChannel: { args: channelInput },
  setAlertRouting: {
    args: async (tenant, api) => {
      const { json } = await must(api, 'GET /api/v1/routing', tenant.admin)
      const matchers = `["owner=\\"${tenant.marker}\\""]`
      return `version: ${String(json['version'])}, document: { route: { routes: [{ matchers: ${matchers} }] } }`
    },
    isForMembers: true
  },
  testNotificationChannel: { args: channel, sees: tested, isForMembers: true }
}
