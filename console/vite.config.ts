import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { worldMap } from './world-map.js'

const OUT_DIR = 'dist'
/** Smaller files do not shrink by more than a packet. */
const MIN_COMPRESSED_BYTES = 1_024

/** Stores a `.br` and a `.gz` file next to each asset, so that the gateway compresses nothing per request. */
function storeCompressed(): Plugin {
  return {
    name: 'store-compressed',
    apply: 'build',
    closeBundle() {
      const folder = join(import.meta.dirname, OUT_DIR, 'assets')
      for (const name of readdirSync(folder)) {
        const bytes = readFileSync(join(folder, name))
        if (bytes.length < MIN_COMPRESSED_BYTES) continue
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, quality))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      }
    }
  }
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
    cssMinify: 'lightningcss'
  }
})
