import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs `npm run demo` once against a service: twenty minutes with a deploy that breaks payments, and its rollback. */
export async function sendDemo(url: string, key: string): Promise<void> {
  const own = ['--once', '--backfill', '20m', '--url', url, '--key', key]
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'bench/demo/main.ts', ...own])
}
