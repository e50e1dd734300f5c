import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { YieldToRequests } from '../../../threads/short-requests.js'
import { runQuery, planRequest } from '../run-query.js'
import { PromqlCancelled, PromqlTimeout, type Stop } from '../evaluate/budget.js'
import type { RawSeries } from '../evaluate/values.js'
import { PromqlBadQuery, PromqlExecutionError } from '../promql-error.js'
import { writeGrid } from '../grid-bytes.js'
import { writeResult } from '../result-json.js'
import { unpackSeries } from '../series-message.js'
import { CANCELLED, type FromThread, LATE, type ThreadFault, type ToThread } from './messages.js'

// What a thread that evaluates PromQL runs, one query at a time: it may be ended at any moment.

function faultOf(error: unknown): ThreadFault {
  if (!(error instanceof Error)) return { kind: 'fault', message: String(error) }
  const { message } = error
  if (error instanceof PromqlBadQuery) return { kind: 'bad_query', message }
  if (error instanceof PromqlExecutionError) return { kind: 'execution', message }
  if (error instanceof PromqlTimeout) return { kind: 'timeout', message }
  if (error instanceof PromqlCancelled) return { kind: 'cancelled', message }
  return { kind: 'fault', message: error.stack ?? message }
}

function stopOf(state: Int32Array): Stop | null {
  const value = Atomics.load(state, 0)
  if (value === CANCELLED) return 'cancelled'
  return value === LATE ? 'late' : null
}

class Thread {
  readonly #port: MessagePort
  readonly #shortRequests: BigInt64Array
  #found: RawSeries[][] = []

  constructor(port: MessagePort, shortRequests: BigInt64Array) {
    this.#port = port
    this.#shortRequests = shortRequests
  }

  receive(message: ToThread): void {
    if (message.kind === 'query') return this.#run(message)
    if (message.kind === 'forget') return void (this.#found = [])
    const found = (this.#found[message.read] ??= [])
    for (const series of unpackSeries(message.series)) found.push(series)
  }

  #run({ request, bounds, state }: Extract<ToThread, { kind: 'query' }>): void {
    const found = this.#found
    this.#found = []
    const pauses = new YieldToRequests(this.#shortRequests)
    const stop = (): Stop | null => {
      pauses.wait(() => stopOf(state) === null)
      return stopOf(state)
    }
    try {
      const plan = planRequest(request, bounds)
      const result = runQuery(request, plan, { bounds, found, stop })
      const json =
        request.form === 'grid'
          ? writeGrid(request, result, bounds.maxResultBytes)
          : writeResult(request, result, bounds.maxResultBytes)
      this.#send({ kind: 'result', json }, [json.buffer])
    } catch (error) {
      this.#send({ kind: 'failed', fault: faultOf(error) })
    }
  }

  #send(message: FromThread, handedOver: readonly ArrayBuffer[] = []): void {
    this.#port.postMessage(message, handedOver)
  }
}

if (!parentPort) throw new Error('this is the entry of a thread')
const thread = new Thread(parentPort, workerData as BigInt64Array)
parentPort.on('message', (message: ToThread) => thread.receive(message))
parentPort.postMessage({ kind: 'ready' } satisfies FromThread, [])
