import type { ControlStore } from '../ports/control-store.js'
import type { StoreHealth } from '../ports/stores.js'
import { healthInTime } from '../stores/shared/engine.js'
import type { OpenedStores } from '../stores/assemble/open.js'

/** Name of the control store among the others. */
export const CONTROL_STORE = 'control'

async function controlHealth(control: ControlStore): Promise<readonly StoreHealth[]> {
  return [{ name: CONTROL_STORE, ...(await control.health()) }]
}

/** Health of all stores; one that does not respond in time is unwell and does not delay the others. */
export async function storeHealth({ telemetry, control }: OpenedStores): Promise<readonly StoreHealth[]> {
  const each = await Promise.all([telemetry.health(), healthInTime(CONTROL_STORE, () => controlHealth(control))])
  return each.flat()
}
