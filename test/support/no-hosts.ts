import type { ReportedHosts } from '../../src/ports/reported-hosts.js'

/** A namespace without agents. */
export const NO_HOSTS: ReportedHosts = {
  save: async () => undefined,
  host: async () => null,
  named: async () => [],
  withIds: async () => [],
  all: async () => [],
  containers: async () => [],
  count: async () => 0,
  countListeners: async () => 0,
  listenersOf: async () => [],
  listeners: async () => [],
  forgetOldest: async () => false,
  forgetListeners: async () => undefined,
  deleteBefore: async () => undefined
}
