import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import {
  MAX_CHANNELS,
  MAX_COMMENT_CHARS,
  MAX_INTERVALS_BYTES,
  MAX_MUTE_TIMES,
  MAX_PAGE_DELIVERIES,
  MAX_SILENCE_MS,
  MAX_SILENCES,
  MAX_TESTS_A_MINUTE
} from '../../src/alerting/notify/manage/notify-limits.js'
import { type NotifiedNamespace, openNotifiedNamespace } from '../support/notified-namespace.js'
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js'

const HOUR_MS = 3_600_000
let receiver: WebhookReceiver
let shop: NotifiedNamespace

beforeEach(async () => {
  receiver = await openWebhookReceiver()
  shop = await openNotifiedNamespace()
})
afterEach(async () => {
  await shop.close()
  await receiver.close()
})

const use = () => shop.notifications.useCases
const times = async (count: number, run: (at: number) => Promise<unknown>): Promise<void> => {
  for (let at = 0; at < count; at++) await run(at)
}

describe('a namespace', () => {
  it('has so many channels', async () => {
    await times(MAX_CHANNELS, at => shop.webhook(`c${at}`, receiver.url))
    await expect(shop.webhook('one too many', receiver.url)).rejects.toMatchObject({ code: 'quota_exceeded' })
    await expect(shop.webhook('c1', receiver.url)).rejects.toMatchObject({ code: 'quota_exceeded' })
  })

  it('has so many silences that are not over', async () => {
    const silence = (): Promise<{ readonly id: string }> =>
      use().silences.create(shop.admin, shop.namespace, {
        matchers: ['a="b"'],
        endsAtMs: shop.time.nowMs() + HOUR_MS,
        comment: 'x'
      })
    await times(MAX_SILENCES - 1, silence)
    const last = await silence()
    await expect(silence()).rejects.toMatchObject({ code: 'quota_exceeded' })
    await use().silences.expire(shop.admin, shop.namespace, last.id)
    await silence()
  })

  it('has so many mute times of so many bytes', async () => {
    const save = (name: string, intervals: unknown = [{}]): Promise<unknown> =>
      use().muteTimes.save(shop.admin, shop.namespace, { name, intervals })
    await times(MAX_MUTE_TIMES, at => save(`m${at}`))
    await expect(save('one too many')).rejects.toMatchObject({ code: 'quota_exceeded' })
    await save('m0', [{ weekdays: ['monday'] }])
    const weekdays = Array<string>(50).fill('monday')
    const large = Array.from({ length: 40 }, () => ({ weekdays }))
    await expect(save('m0', large)).rejects.toThrow(`intervals exceed ${MAX_INTERVALS_BYTES} bytes of JSON`)
  })
})

describe('a channel', () => {
  it('takes so many tests a minute', async () => {
    const { channel } = await shop.webhook('ops', receiver.url)
    const test = (): Promise<unknown> => use().deliveries.test(shop.admin, shop.namespace, channel.id)
    await times(MAX_TESTS_A_MINUTE, test)
    await expect(test()).rejects.toMatchObject({ code: 'rate_limited', retryAfterS: 60 })
    shop.time.pass(60_000)
    await test()
  })

  it('lists pages of so many deliveries', async () => {
    const { channel } = await shop.webhook('ops', receiver.url)
    await times(3, () => use().deliveries.test(shop.admin, shop.namespace, channel.id))
    const page = (first: number, after?: string) => use().deliveries.list(shop.namespace, channel.id, { first, after })
    const first = await page(2)
    expect([first.deliveries.length, first.next]).toEqual([2, first.deliveries[1]!.id])
    const rest = await page(2, first.next!)
    expect([rest.deliveries.length, rest.next]).toEqual([1, null])
    expect((await page(MAX_PAGE_DELIVERIES)).deliveries).toHaveLength(3)
    await expect(page(MAX_PAGE_DELIVERIES + 1)).rejects.toMatchObject({ code: 'invalid_field', field: 'limit' })
    await expect(page(0)).rejects.toMatchObject({ code: 'invalid_field' })
    await expect(use().deliveries.list(shop.namespace, 'unknown', { first: 1 })).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a silence', () => {
  const create = (changes: object): Promise<unknown> => {
    const silence = { matchers: ['a="b"'], endsAtMs: shop.time.nowMs() + HOUR_MS, comment: 'x' }
    return use().silences.create(shop.admin, shop.namespace, { ...silence, ...changes })
  }

  it('ends after it starts, in the future, within 366 days', async () => {
    const nowMs = shop.time.nowMs()
    await expect(create({ endsAtMs: nowMs })).rejects.toMatchObject({ field: 'ends_at' })
    await expect(create({ startsAtMs: nowMs + HOUR_MS })).rejects.toMatchObject({ field: 'ends_at' })
    await create({ endsAtMs: nowMs + MAX_SILENCE_MS })
    await expect(create({ endsAtMs: nowMs + MAX_SILENCE_MS + 1 })).rejects.toThrow('at most 366 days')
  })

  it('has a comment of so many characters, and a matcher that does not match everything', async () => {
    await create({ comment: 'x'.repeat(MAX_COMMENT_CHARS) })
    await expect(create({ comment: 'x'.repeat(MAX_COMMENT_CHARS + 1) })).rejects.toThrow(
      'comment exceeds 1000 characters (got 1001)'
    )
    await expect(create({ matchers: [] })).rejects.toMatchObject({ field: 'matchers' })
    await expect(create({ matchers: ['a=~".*"', 'b!="c"'] })).rejects.toMatchObject({ field: 'matchers' })
  })
})
