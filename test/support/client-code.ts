import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { preset } from '@graphql-codegen/client-preset'
import { codegen } from '@graphql-codegen/core'
import { buildSchema, type DocumentNode, parse } from 'graphql'
import { parse as parseYaml } from 'yaml'

/** The part of codegen.yml that is used here. */
interface CodegenConfig {
  readonly schema: string
  readonly documents: readonly string[]
  readonly generates: Readonly<
    Record<string, { readonly presetConfig: Record<string, unknown>; readonly config: Record<string, unknown> }>
  >
}

interface Source {
  readonly location: string
  readonly rawSDL: string
  readonly document: DocumentNode
}

/** Files of a pattern `folder/*.ending`: the only kind that codegen.yml uses. */
function filesOf(root: string, pattern: string): string[] {
  const ending = basename(pattern).slice(1)
  const names = readdirSync(join(root, dirname(pattern))).filter(name => name.endsWith(ending))
  return names.sort().map(name => `${dirname(pattern)}/${name}`)
}

function readSource(root: string, location: string): Source {
  const rawSDL = readFileSync(join(root, location), 'utf8')
  return { location, rawSDL, document: parse(rawSDL, { noLocation: true }) }
}

/** The files that codegen.yml describes: path below the root to content. */
export async function generateClient(root: string): Promise<ReadonlyMap<string, string>> {
  const config = parseYaml(readFileSync(join(root, 'codegen.yml'), 'utf8')) as CodegenConfig
  const sdl = readFileSync(join(root, config.schema), 'utf8')
  const documents = config.documents.flatMap(pattern => filesOf(root, pattern)).map(file => readSource(root, file))
  const files = new Map<string, string>()
  for (const [baseOutputDir, output] of Object.entries(config.generates)) {
    const outputs = await preset.buildGeneratesSection({
      baseOutputDir,
      presetConfig: output.presetConfig,
      config: output.config,
      schema: parse(sdl),
      schemaAst: buildSchema(sdl),
      documents,
      plugins: [],
      pluginMap: {}
    })
    // The preset's other files serve documents that stand in source code; ours stand in files of their own.
    for (const one of outputs.filter(({ filename }) => filename.endsWith('/graphql.ts')))
      files.set(one.filename, await codegen(one))
  }
  return files
}

/** Writes what codegen.yml describes. */
export async function writeClient(root: string): Promise<void> {
  for (const [path, content] of await generateClient(root)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
}
