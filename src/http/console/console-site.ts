import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { createHash } from 'node:crypto'

/** Digits of a tag: 132 bits of SHA-256. */
const TAG_CHARS = 22

/** The strong entity tag of these bytes, quotes included. */
function entityTag(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, TAG_CHARS)}"`
}

/** Whether an `If-None-Match` header names the tag, by weak comparison (RFC 9110, 13.1.2). */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some(part => {
    const named = part.trim()
    return named === '*' || named === tag || named === `W/${tag}`
  })
}

/** One representation of a file: its bytes as they are sent, and their entity tag. */
export interface Representation {
  readonly bytes: Buffer
  readonly etag: string
}

/** Content codings that the build stores next to a file, the preferred one first. */
export const STORED_CODINGS = ['br', 'gzip'] as const

/** One of them. */
export type StoredCoding = (typeof STORED_CODINGS)[number]

/** A hashed file below `assets/`. */
export interface Asset {
  readonly contentType: string
  readonly plain: Representation
  readonly coded: ReadonlyMap<StoredCoding, Representation>
}

/** The built console in memory: requests look names up here and never reach the file system. */
export interface ConsoleSite {
  readonly page: Representation
  /** By the path below `assets/`, with `/` between folders. */
  readonly assets: ReadonlyMap<string, Asset>
}

/** What `index.html` has in place of the path of the public URL. */
export const BASE_PLACEHOLDER = '__ALIDADE_BASE__'
/** Files of a build and their bytes together. The console has some 40 files and 3 MB. */
export const MAX_SITE_FILES = 2_000
/** Bytes of the files of the console, which are held in memory. */
export const MAX_SITE_BYTES = 64 * 1024 * 1024

const SUFFIX: Readonly<Record<StoredCoding, string>> = { br: '.br', gzip: '.gz' }
const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.map', 'application/json; charset=utf-8'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.webp', 'image/webp'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.wasm', 'application/wasm']
])

/** A build that cannot be served, and why. */
export class UnusableConsole extends Error {
  override readonly name = 'UnusableConsole'
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

/** The path of a public URL, between slashes: `/` without one. */
export function basePathOf(publicUrl: string | null): string {
  if (publicUrl === null) return '/'
  return `${new URL(publicUrl).pathname.replace(/\/+$/, '')}/`
}

function represent(bytes: Buffer): Representation {
  return { bytes, etag: entityTag(bytes) }
}

function fillBase(html: string, basePath: string): Representation {
  const parts = html.split(BASE_PLACEHOLDER)
  if (parts.length !== 2) {
    throw new UnusableConsole(`index.html has ${parts.length - 1} placeholders ${BASE_PLACEHOLDER} (1 expected); build it again`)
  }
  return represent(Buffer.from(parts.join(escapeAttribute(basePath))))
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

async function readAll(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  // Symbolic links are not followed: they may lead out of the folder.
  const files = (await entriesOf(folder)).filter(entry => entry.isFile())
  if (files.length > MAX_SITE_FILES) throw new UnusableConsole(`assets has ${files.length} files (limit ${MAX_SITE_FILES})`)
  const read = new Map<string, Buffer>()
  let bytes = 0
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name)
    bytes += (await stat(path)).size
    if (bytes > MAX_SITE_BYTES) throw new UnusableConsole(`assets exceed ${MAX_SITE_BYTES} bytes`)
    read.set(path.slice(folder.length + 1).replaceAll('\\', '/'), await readFile(path))
  }
  return read
}

function codedOf(files: ReadonlyMap<string, Buffer>, name: string): ReadonlyMap<StoredCoding, Representation> {
  return new Map(
    STORED_CODINGS.flatMap(coding => {
      const bytes = files.get(`${name}${SUFFIX[coding]}`)
      return bytes === undefined ? [] : [[coding, represent(bytes)] as const]
    })
  )
}

function isStoredCoding(files: ReadonlyMap<string, Buffer>, name: string): boolean {
  return Object.values(SUFFIX).some(suffix => name.endsWith(suffix) && files.has(name.slice(0, -suffix.length)))
}

function toAssets(files: ReadonlyMap<string, Buffer>): ReadonlyMap<string, Asset> {
  const names = [...files.keys()].filter(name => !isStoredCoding(files, name))
  return new Map(
    names.map(name => {
      const contentType = CONTENT_TYPES.get(extname(name)) ?? 'application/octet-stream'
      return [name, { contentType, plain: represent(files.get(name)!), coded: codedOf(files, name) }]
    })
  )
}

/**
 * Reads a build of the console: `index.html`, its base filled in, and everything below `assets`. Null when there is no
 * such folder; `UnusableConsole` when the build is incomplete or exceeds the limits.
 */
export async function readConsole(folder: string, basePath: string): Promise<ConsoleSite | null> {
  const found = await stat(folder).catch(() => null)
  if (found === null) return null
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UnusableConsole(`index.html of the build cannot be read: ${error.code ?? error.message}; build it again`)
  })
  return { page: fillBase(html, basePath), assets: toAssets(await readAll(join(folder, 'assets'))) }
}
