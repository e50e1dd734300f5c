import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** The script of `writeConsoleBuild`. */
export const SCRIPT = 'export const result = 42\n'.repeat(40)

/** Writes what a build of the console consists of: the page, a script with both stored codings, a picture without. */
export async function writeConsoleBuild(folder: string): Promise<string> {
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'index.html'), '<!doctype html><base href="__ALIDADE_BASE__" /><title>Alidade</title>')
  await writeFile(join(folder, 'assets/main-B7x2.js'), SCRIPT)
  await writeFile(join(folder, 'assets/main-B7x2.js.br'), brotliCompressSync(SCRIPT))
  await writeFile(join(folder, 'assets/main-B7x2.js.gz'), gzipSync(SCRIPT))
  await writeFile(join(folder, 'assets/mark-A1b2.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  return folder
}
