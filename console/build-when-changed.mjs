// Part of `npm start` and `npm test`: builds the console when its sources differ from those of the last build.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = import.meta.dirname
const MARK = join(FOLDER, 'dist', 'sources.sha256')

/** SHA-256 of the names and contents of everything that the build reads; of dependencies, their pinned versions. */
function hashOfSources() {
  const sources = readdirSync(join(FOLDER, 'src'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
  const files = [...sources, ...['index.html', 'vite.config.ts', 'world-map.ts', 'package.json'].map(name => join(FOLDER, name))]
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(file.slice(FOLDER.length)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

const hash = hashOfSources()
if (!existsSync(MARK) || readFileSync(MARK, 'utf8') !== hash) {
  const { build } = await import('vite')
  await build({ configFile: join(FOLDER, 'vite.config.ts'), logLevel: 'warn' })
  writeFileSync(MARK, hash)
}
