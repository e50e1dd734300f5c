import { parentPort, threadId } from 'node:worker_threads'

// A thread that tells which one it is, and that never stops once it is asked for `deaf`.
parentPort.on('message', message => {
  if (message.kind !== 'question') return
  if (message.question.query === 'deaf') for (;;);
  const json = new TextEncoder().encode(JSON.stringify({ data: { result: threadId } }))
  parentPort.postMessage({ kind: 'answer', json }, [])
})
parentPort.postMessage({ kind: 'ready' }, [])
