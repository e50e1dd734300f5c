import { GatewayError } from '../domain/errors.js'
import type { Timers } from '../ports/timers.js'
import { type RequestedSlot, Slots } from '../threads/slots.js'
import { BudgetLevel, enterLevels, seniorsFor } from './budget-level.js'

/** Who sends a body: what the budget is shared between. */
export interface BudgetCaller {
  /** Callers without a credential, and pages with a public key, have a small share together. */
  readonly kind: 'anonymous' | 'browser' | 'principal'
  /** The namespace of the credential; the network address of an anonymous caller. */
  readonly group: string
  /** Distinguishes callers of one group. */
  readonly id: string
}

/** How much of the budget is in use, and how often it was not enough, since the start. */
export interface BudgetState {
  readonly maxBytes: number
  readonly usedBytes: number
  readonly bodies: number
  readonly waiting: number
  /** Refusals because the share of the caller, or of its kind, was used up. */
  readonly refusedShare: number
  /** Refusals because the whole budget was used up. */
  readonly refusedWhole: number
}

interface Waiter {
  readonly body: BodyBytes
  readonly bytes: number
  readonly resolve: () => void
  readonly reject: (error: GatewayError) => void
  readonly cancel: () => void
}

/** What a body takes besides its bytes: the connection's buffers and the request. */
export const OPEN_BODY_BYTES = 16 * 1024
/** How long a body waits for others to end. */
export const MAX_WAIT_MS = 3_000
/** Each that waits behind others of its caller waits longer by this: refusals in one go would block the event loop. */
export const STAGGER_MS = 2
/** Bodies of one caller that may wait at once. */
export const MAX_WAITING = 256
const RETRY_AFTER_S = 1
/** Bodies that are decompressed at once, of different namespaces: each takes a core. */
const DECOMPRESSIONS = { size: 2, mostOfOne: 1 }
/** Shares of the whole: of a namespace, of all browsers, of all anonymous callers. */
const GROUP_SHARE = 3 / 8
const BROWSERS_SHARE = 1 / 8
const ANONYMOUS_SHARE = 1 / 16
/** Shares of their pool: of the browsers of a namespace, of one browser, of one address. */
const BROWSER_GROUP_SHARE = 1 / 2
const ONE_BROWSER_SHARE = 1 / 8

/**
 * The bytes of all bodies that are being received, decompressed and worked on, shared between namespaces and callers. A
 * body takes bytes as they arrive; what does not fit waits, and is refused when it waited too long. ADR 0035 has the rules.
 */
export class ByteBudget {
  readonly #timers: Timers
  readonly #total: BudgetLevel
  readonly #browsers: BudgetLevel
  readonly #anonymous: BudgetLevel
  /** In the order in which each caller's first body began to wait. */
  readonly #queues = new Map<BudgetLevel, Waiter[]>()
  /** What a body waits for; looked up when it ends, as a thousand may together. */
  readonly #waiters = new Map<BodyBytes, Waiter>()
  readonly #decompressions = new Slots<BudgetLevel>(DECOMPRESSIONS)
  #bodies = 0
  #refusedShare = 0
  #refusedWhole = 0

  constructor(maxBytes: number, timers: Timers) {
    this.#timers = timers
    this.#total = new BudgetLevel('all requests', maxBytes, null)
    // Not among the children of the whole, whose keys are namespaces.
    this.#browsers = new BudgetLevel('all pages', maxBytes * BROWSERS_SHARE, this.#total)
    this.#anonymous = new BudgetLevel('all unauthenticated callers', maxBytes * ANONYMOUS_SHARE, this.#total)
  }

  get state(): BudgetState {
    let waiting = 0
    for (const queue of this.#queues.values()) waiting += queue.length
    return {
      maxBytes: this.#total.maxBytes,
      usedBytes: this.#total.bytes,
      bodies: this.#bodies,
      waiting,
      refusedShare: this.#refusedShare,
      refusedWhole: this.#refusedWhole
    }
  }

  /** A body that begins to arrive; it has taken nothing yet, `OPEN_BODY_BYTES` come first. */
  open(caller: BudgetCaller): BodyBytes {
    const level = this.#levelOf(caller)
    level.enter()
    this.#bodies++
    return new BodyBytes(this, level)
  }

  /** Takes bytes for a body if they fit now and no earlier body of the caller waits. */
  tryTake(body: BodyBytes, bytes: number): boolean {
    if (this.#queues.has(body.level) && !body.level.hasSenior(body)) return false
    return this.#take(body, bytes)
  }

  /** Takes bytes for a body as soon as they fit. `rate_limited` or `overloaded` when that takes too long. */
  wait(body: BodyBytes, bytes: number): Promise<void> {
    const queue = this.#queues.get(body.level) ?? []
    if (queue.length >= MAX_WAITING) return Promise.reject(this.#refusal(body, bytes))
    return new Promise((resolve, reject) => {
      const cancel = this.#timers.after(MAX_WAIT_MS + queue.length * STAGGER_MS, () => {
        this.#leave(waiter)
        reject(this.#refusal(body, bytes))
      })
      const waiter: Waiter = { body, bytes, resolve, reject, cancel }
      // Others wait for the one that is largest by right.
      if (body.level.hasSenior(body)) queue.unshift(waiter)
      else queue.push(waiter)
      this.#queues.set(body.level, queue)
      this.#waiters.set(body, waiter)
    })
  }

  /**
   * Requests that a body may be decompressed: one of a namespace, or of all unauthenticated callers, at a time. Keys of a
   * namespace, and addresses, are served round-robin.
   */
  decompression(body: BodyBytes): RequestedSlot {
    return this.#decompressions.request(body.level.parent ?? body.level, body.level)
  }

  /** Gives bytes of a body back. */
  give(body: BodyBytes, bytes: number): void {
    body.level.add(-bytes)
    this.#admit()
  }

  /** A body is done with: nothing of it waits any more. */
  close(body: BodyBytes): void {
    const waiter = this.#waiters.get(body)
    if (waiter) {
      this.#leave(waiter)
      waiter.reject(new GatewayError('overloaded', 'the request was closed while it was queued'))
    }
    // Whoever has nothing keeps only those waiting that are behind it.
    const blockedOthers = body.bytes > 0 || body.level.hasSenior(body)
    this.#bodies--
    body.level.forgetSenior(body)
    body.level.add(-body.bytes)
    body.level.leave()
    if (blockedOthers) this.#admit()
    else while (this.#queues.has(body.level) && this.#admitOne(body.level));
  }

  #levelOf({ kind, group, id }: BudgetCaller): BudgetLevel {
    const max = this.#total.maxBytes
    if (kind === 'principal') {
      const ofGroup = this.#total.child(group, 'this namespace', max * GROUP_SHARE)
      return ofGroup.child(id, 'this caller', max * GROUP_SHARE)
    }
    if (kind === 'anonymous') return this.#anonymous.child(group, 'this address', this.#anonymous.maxBytes * ONE_BROWSER_SHARE)
    const ofPages = this.#browsers.child(group, 'the pages of this namespace', this.#browsers.maxBytes * BROWSER_GROUP_SHARE)
    return ofPages.child(id, 'this key and address', this.#browsers.maxBytes * ONE_BROWSER_SHARE)
  }

  #take(body: BodyBytes, bytes: number): boolean {
    if (!enterLevels(body, bytes)) return false
    body.level.add(bytes)
    body.added(bytes)
    return true
  }

  /** Lets in who waits and fits now: of the namespace, then of the caller, that has least. */
  #admit(): void {
    while (this.#queues.size > 0) {
      const callers = [...this.#queues.keys()].sort((a, b) => a.parentBytes - b.parentBytes || a.bytes - b.bytes)
      if (!callers.some(level => this.#admitOne(level))) return
    }
  }

  #admitOne(level: BudgetLevel): boolean {
    const waiter = this.#queues.get(level)![0]!
    if (!this.#take(waiter.body, waiter.bytes)) return false
    this.#leave(waiter)
    waiter.resolve()
    return true
  }

  #leave(waiter: Waiter): void {
    waiter.cancel()
    if (this.#waiters.get(waiter.body) === waiter) this.#waiters.delete(waiter.body)
    const { level } = waiter.body
    const queue = this.#queues.get(level)!
    queue.splice(queue.indexOf(waiter), 1)
    if (queue.length === 0) this.#queues.delete(level)
  }

  #refusal(body: BodyBytes, bytes: number): GatewayError {
    const full = seniorsFor(body, bytes).full ?? body.level
    const extras = { retryAfterS: RETRY_AFTER_S }
    const detail = `bodies in flight of ${full.name} exceed their share of ${Math.floor(full.maxBytes)} bytes`
    if (full === this.#total) {
      this.#refusedWhole++
      return new GatewayError('overloaded', `${detail}; retry later`, extras)
    }
    this.#refusedShare++
    return new GatewayError('rate_limited', `${detail}; send fewer or smaller requests at once`, extras)
  }
}

function requestEnded(): GatewayError {
  return new GatewayError('overloaded', 'the request was closed')
}

/** The bytes that one body has of the budget. */
export class BodyBytes {
  /** The caller's level. */
  readonly level: BudgetLevel
  readonly #budget: ByteBudget
  #bytes = 0
  #isReleased = false
  #place: RequestedSlot | null = null

  constructor(budget: ByteBudget, level: BudgetLevel) {
    this.#budget = budget
    this.level = level
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Takes bytes when they fit at once. */
  tryTake(bytes: number): boolean {
    return !this.#isReleased && this.#budget.tryTake(this, bytes)
  }

  /** Takes bytes as soon as they fit. `rate_limited` or `overloaded` when that takes too long. */
  async take(bytes: number): Promise<void> {
    if (this.tryTake(bytes)) return
    if (this.#isReleased) throw requestEnded()
    await this.#budget.wait(this, bytes)
  }

  /**
   * Resolves when the body may be decompressed: a namespace decompresses one at a time, in turn with others. What is given
   * back is to be called when it is done, or waits. `overloaded` when the request has ended.
   */
  async decompression(): Promise<() => void> {
    if (this.#isReleased) throw requestEnded()
    this.#place = this.#budget.decompression(this)
    return this.#place.granted
  }

  /** Gives some of them back. */
  give(bytes: number): void {
    if (this.#isReleased) return
    this.#bytes -= bytes
    this.#budget.give(this, bytes)
  }

  /** Gives all of them back. The second call does nothing. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.#place?.cancel(requestEnded())
    this.#budget.close(this)
    this.#bytes = 0
  }

  /** The budget granted bytes. */
  added(bytes: number): void {
    this.#bytes += bytes
  }
}
