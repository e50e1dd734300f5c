import { readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { worldMap } from './world-map.js'

const OUT_DIR = 'dist'
/** Smaller files do not shrink by more than a packet. */
const MIN_COMPRESSED_BYTES = 1_024

/** Pages that load a module before it is in a file of what pages share. */
const SHARED_BY = 6

/**
 * Scripts of several pages in few files: libraries, which change seldom, what most pages share, and what lists share. As
 * a file for each set of pages that shares something, the first page would be 34 files, which compress badly.
 */
const CHUNKS = [
  { name: 'libraries', test: /node_modules/, minShareCount: SHARED_BY, priority: 2 },
  { name: 'shared', test: /console[\\/]src/, minShareCount: SHARED_BY, priority: 1 },
  { name: 'lists', test: /console[\\/]src[\\/](?:api|app|format|query|ui|url)/, minShareCount: 2 }
]

/** Stores a `.br` and a `.gz` file next to each asset, so that the gateway compresses nothing per request. */
function storeCompressed(): Plugin {
  return {
    name: 'store-compressed',
    apply: 'build',
    async closeBundle() {
      const folder = join(import.meta.dirname, OUT_DIR, 'assets')
      await Promise.all(readdirSync(folder).map(name => compress(join(folder, name))))
    }
  }
}

/** Node compresses on threads of its own, several files at once. */
async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < MIN_COMPRESSED_BYTES) return
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  await Promise.all([
    promisify(brotliCompress)(bytes, quality).then(result => writeFile(`${file}.br`, result)),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }).then(result => writeFile(`${file}.gz`, result))
  ])
}

export default defineConfig({
  root: import.meta.dirname,
  // Links are relative to `<base href>`, which the gateway fills from its public URL.
  base: './',
  plugins: [react(), worldMap(), storeCompressed()],
  css: { transformer: 'lightningcss' },
  build: {
    outDir: OUT_DIR,
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy forbids inline scripts and data URLs of styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One sheet: 37 small ones take twice the bytes, and the order in which pages load them would decide between rules.
    cssCodeSplit: false,
    cssMinify: 'lightningcss',
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } }, checks: { bundlerTimings: false } }
  }
})
