import { parentPort, threadId } from 'node:worker_threads'

// A thread that returns its id, and that never stops after the query `deaf`.
parentPort.on('message', message => {
  if (message.kind !== 'query') return
  if (message.request.query === 'deaf') for (;;);
  const json = new TextEncoder().encode(JSON.stringify({ data: { result: threadId } }))
  parentPort.postMessage({ kind: 'result', json }, [])
})
parentPort.postMessage({ kind: 'ready' }, [])
