import type { ControlStore } from '../ports/control-store.js'
import type { StoreHealth, Stores } from '../ports/stores.js'

/** Name of the control store among the others. */
export const CONTROL_STORE = 'control'
const TIMEOUT_MS = 2_000

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function unwell(name: string, error: Error): StoreHealth {
  return { name, healthy: false, latencyMs: null, detail: error.message }
}

/** Health of all stores; one that does not answer in time is unwell and does not hold up the others. */
export async function storeHealth(telemetry: Stores, control: ControlStore): Promise<readonly StoreHealth[]> {
  const ofTelemetry = withinTime(telemetry.health()).catch((error: Error) => [unwell('telemetry', error)])
  const ofControl = withinTime(control.health())
    .then((health): StoreHealth => ({ name: CONTROL_STORE, ...health }))
    .catch((error: Error) => unwell(CONTROL_STORE, error))
  return [...(await ofTelemetry), await ofControl]
}
