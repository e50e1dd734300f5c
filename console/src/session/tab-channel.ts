import type { TabChannel } from './session.js'

/** A channel between the tabs of this origin; a tab does not get its own messages. */
export function openTabChannel(name: string): TabChannel {
  const channel = new BroadcastChannel(name)
  return {
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel stays within its origin
    send: message => channel.postMessage(message),
    onMessage: listener => channel.addEventListener('message', event => listener(event.data))
  }
}
