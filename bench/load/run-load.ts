import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LoadOrder, LoadReport } from './worker.js'

export type LoadDone = Extract<LoadReport, { type: 'done' }>

/** Runs the load in a process of its own, so that its CPU is not the service's; `onMeasuring` is called after the warm-up. */
export function runLoad(order: LoadOrder, onMeasuring: () => void): Promise<LoadDone> {
  const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)))
  return new Promise((resolve, reject) => {
    child.on('message', (message: LoadReport) => {
      if (message.type === 'measuring') onMeasuring()
      else resolve(message)
    })
    child.on('error', reject)
    child.on('exit', code => reject(new Error(`the load process ended with ${code}`)))
    child.send(order)
  })
}
