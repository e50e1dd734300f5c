import { createSourceEventStream, execute, type ExecutionArgs, type ExecutionResult } from 'graphql'

/** Results of a subscription. `return` ends it at once, whatever it waits for. */
export type Results = Pick<AsyncGenerator<ExecutionResult, void, void>, 'next' | 'return' | 'throw'> &
  AsyncIterable<ExecutionResult>

/** One running subscription. */
export interface RunningSubscription {
  readonly args: ExecutionArgs
  /** A context for one event, so that nothing is remembered from event to event. */
  readonly newContext: () => unknown
  /** Ends the source. */
  readonly abort: AbortController
  /** Called once, when it has ended. */
  readonly onEnd: () => void
}

function isIterable(value: object): value is AsyncIterable<unknown> {
  return Symbol.asyncIterator in value
}

async function* eachResult(
  source: AsyncIterable<unknown>,
  { args, newContext, abort }: RunningSubscription
): AsyncGenerator<ExecutionResult, void, void> {
  try {
    for await (const rootValue of source) yield await execute({ ...args, rootValue, contextValue: newContext() })
  } catch (error) {
    // Ended by the client or the socket: no one waits for a reason.
    if (!abort.signal.aborted) throw error
  }
}

function ending(results: Results, { abort, onEnd }: RunningSubscription): Results {
  const end = (): void => {
    abort.abort()
    onEnd()
  }
  const settled = async (
    next: Promise<IteratorResult<ExecutionResult, void>>
  ): Promise<IteratorResult<ExecutionResult, void>> => {
    try {
      const result = await next
      if (result.done === true) end()
      return result
    } catch (error) {
      end()
      throw error
    }
  }
  return {
    next: () => settled(results.next()),
    return: async () => {
      end()
      return results.return(undefined)
    },
    throw: error => settled(results.throw(error)),
    [Symbol.asyncIterator]() {
      return this
    }
  }
}

/** Runs a subscription; graphql-js maps events with one context for all, which would remember all of them. */
export async function runSubscription(run: RunningSubscription): Promise<Results | ExecutionResult> {
  const source = await createSourceEventStream({ ...run.args, contextValue: run.newContext() })
  if (isIterable(source)) return ending(eachResult(source, run), run)
  run.onEnd()
  return source
}
