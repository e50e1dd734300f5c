/** Bounds of subscriptions over WebSocket; all are counted when they reject something. */
export interface SubscriptionLimits {
  /** Sockets of the process whose caller is known. */
  readonly sockets: number
  readonly socketsPerPrincipal: number
  readonly socketsPerNamespace: number
  /** Sockets of the process that have not sent `connection_init`, and those of one IPv4 address or IPv6 /64. */
  readonly waitingSockets: number
  readonly waitingSocketsPerNetwork: number
  readonly initTimeoutMs: number
  readonly subscriptionsPerSocket: number
  readonly messageBytes: number
  readonly messagesPerSecond: number
  /** Bytes that wait for a client that does not read; with more, its socket is closed. */
  readonly bufferedBytes: number
  /** The same of all sockets together; a client that has not read its last message is disconnected then. */
  readonly allBufferedBytes: number
  /** Interval of pings; a client without a pong until the next is gone. */
  readonly pingMs: number
  /** Interval at which callers are checked again. */
  readonly recheckMs: number
  /** Time that a client has to close its side. */
  readonly closeMs: number
}

/** Limits of subscriptions unless settings change them. */
export const DEFAULT_SUBSCRIPTION_LIMITS: SubscriptionLimits = {
  sockets: 500,
  socketsPerPrincipal: 250,
  socketsPerNamespace: 300,
  waitingSockets: 500,
  waitingSocketsPerNetwork: 250,
  initTimeoutMs: 5_000,
  subscriptionsPerSocket: 8,
  messageBytes: 64 * 1024,
  messagesPerSecond: 50,
  bufferedBytes: 4 * 1024 * 1024,
  allBufferedBytes: 128 * 1024 * 1024,
  pingMs: 20_000,
  recheckMs: 400,
  closeMs: 1_000
}
