import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { type AdminChannel, callService, openAdminChannel } from '../../src/app/admin-channel.js'
import { diagnosisOf, GatewayError } from '../../src/domain/errors.js'
import { openTempFolder } from '../support/temp-folder.js'

let folder: Awaited<ReturnType<typeof openTempFolder>>
let channel: AdminChannel
let failure: Error
let logged: unknown[]

beforeEach(async () => {
  folder = await openTempFolder()
  logged = []
  const fail = () => Promise.reject(failure)
  channel = await openAdminChannel(folder.path, { fail }, error => logged.push(error))
})
afterEach(async () => {
  await channel.close()
  await folder.remove()
})

it('sends the sentence for operators with an error, when to repeat the call, and logs it', async () => {
  const extras = { diagnosis: 'the index logs-1 lacks its alias', retryAfterS: 3 }
  failure = new GatewayError('overloaded', 'an index lacks its alias', extras)
  const error = await callService(folder.path, 'fail', {}).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'overloaded', message: 'an index lacks its alias', ...extras })
  expect(logged).toEqual([failure])
})

it('sends the message of an error that is not one of ours', async () => {
  failure = new Error('disk sda is gone')
  const error = await callService(folder.path, 'fail', {}).catch((thrown: unknown) => thrown)
  expect([diagnosisOf(error), logged]).toEqual(['disk sda is gone', [failure]])
})

it('logs no refusal of what was called', async () => {
  failure = new GatewayError('invalid_field', 'after must be a whole number')
  await expect(callService(folder.path, 'fail', {})).rejects.toMatchObject({ code: 'invalid_field', message: failure.message })
  expect(logged).toEqual([])
})
