import { HttpError } from '@influxdata/influxdb-client'
import { expect, it } from '@jest/globals'
import type { InfluxClient } from '../../../src/stores/influxdb/client/influx-client.js'
import { sendLines } from '../../../src/stores/influxdb/write/send-lines.js'

const LINE = 'cpu value=1 1\n'

function failure(status: number, message: string): HttpError {
  return new HttpError(status, undefined, JSON.stringify({ code: 'internal error', message }))
}

/** Fails with these, one after the other, and then succeeds. */
function failing(errors: readonly Error[]): { readonly client: InfluxClient; readonly sent: string[] } {
  const left = [...errors]
  const sent: string[] = []
  const call = async ({ body }: { readonly body: string }): Promise<void> => {
    sent.push(body)
    const error = left.shift()
    if (error) throw error
  }
  return { client: { org: 'org', call } as unknown as InfluxClient, sent }
}

it('writes once more to a bucket that the engine has not opened yet', async () => {
  const { client, sent } = failing([failure(500, 'unexpected error writing points to database: database not found: 09a1')])
  expect(await sendLines(client, 'ns_new', LINE)).toEqual([])
  expect(sent).toEqual([LINE, LINE])
})

it('reports the bucket that stays closed, and every other failure, at once', async () => {
  const closed = failure(500, 'database not found: 09a1')
  await expect(sendLines(failing([closed, closed]).client, 'ns_new', LINE)).rejects.toBe(closed)
  const other = failure(500, 'engine is closed')
  const { client, sent } = failing([other])
  await expect(sendLines(client, 'ns_new', LINE)).rejects.toBe(other)
  expect(sent).toEqual([LINE])
})
