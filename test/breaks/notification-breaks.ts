import type { Break } from './break.js'

const STEPS = 'test/unit/alerting/notify/notify-(step|channels|model)\\.test'
const TARGETS = 'test/unit/alerting/notify/targets\\.test'
const REQUESTS = 'test/unit/alerting/notify/target-client\\.test'
const DELIVERIES = 'test/alerting/notifications\\.test'
const FAULTS = 'test/alerting/notification-faults\\.test'

/** Promises about notifications of alerts. */
export const NOTIFICATIONS: readonly Break[] = [
  {
    promise: 'what fires and resolves while a group waits is reported',
    file: 'src/alerting/notify/group/message-for.ts',
    find: 'owed.has(key) || (!onlyOwed && !done.has(key))',
    replace: 'owed.has(key)',
    tests: STEPS
  },
  {
    promise: 'a message carries the resolutions of the one that it replaces',
    file: 'src/alerting/notify/group/message-for.ts',
    find: 'isReplacing ? sent.resolved.filter',
    replace: 'isReplacing && onlyOwed ? sent.resolved.filter',
    tests: STEPS
  },
  {
    promise: 'an alert whose state is not the one that was sent is news',
    file: 'src/alerting/notify/group/message-for.ts',
    find: 'owed.get(key) !== state',
    replace: '!owed.has(key)',
    tests: STEPS
  },
  {
    promise: 'a step reads the groups that left the routing',
    file: 'src/alerting/notify/dispatch/groups-of-step.ts',
    find: '    add(await groups.retired(ns))\n',
    replace: '',
    tests: 'test/unit/alerting/notify/groups-of-step\\.test'
  },
  {
    promise: 'a former holder of a lease makes no deliveries',
    file: 'src/alerting/notify/dispatch/dispatcher.ts',
    find: 'if (!(await ports.alertLeases.lock(lease))) return null',
    replace: '',
    tests: FAULTS
  },
  {
    promise: 'the cursor is stored with the deliveries that it covers',
    file: 'src/alerting/notify/dispatch/notify-namespace.ts',
    find: 'const seq = events.at(-1)?.seq ?? cursor.seq',
    replace: 'const seq = cursor.seq',
    tests: DELIVERIES
  },
  {
    promise: 'signatures are made over the bytes that are sent',
    file: 'src/alerting/notify/deliver/send-delivery.ts',
    find: 'atMs: nowMs, body, secrets })',
    replace: 'atMs: nowMs, body: Buffer.from(delivery.body.toUpperCase()), secrets })',
    tests: DELIVERIES
  },
  {
    promise: 'every address of a host is checked',
    file: 'src/alerting/notify/target/target-client.ts',
    find: 'if (!addresses.every(address => allowed.allows(host, address))) {',
    replace: 'if (!addresses.some(address => allowed.allows(host, address))) {',
    tests: REQUESTS
  },
  {
    promise: 'the socket connects to an address that was checked',
    file: 'src/alerting/notify/target/target-client.ts',
    find: '      lookup: lookupOf(addresses),\n',
    replace: '',
    tests: REQUESTS
  },
  {
    promise: 'a network does not open the metadata service in it',
    file: 'src/alerting/notify/target/allowed-targets.ts',
    find: 'if (isMetadataAddress(address)) return this.#addresses.has(address)',
    replace: '',
    tests: TARGETS
  },
  {
    promise: 'secrets of channels are sealed',
    file: 'src/alerting/notify/sealed-channels.ts',
    find: "secret: this.#box.seal(contextOf(id, 'secret'), secret)",
    replace: 'secret',
    tests: FAULTS
  }
]
