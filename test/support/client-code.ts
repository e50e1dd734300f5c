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
  readonly generates: Readonly<Record<string, OutputConfig>>
}

interface OutputConfig {
  /** Documents of this output alone, each in a file of its own, so that a page loads its operation and no other. */
  readonly filePerDocument?: readonly string[]
  readonly presetConfig: Record<string, unknown>
  readonly config: Record<string, unknown>
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

/** The generated module of some documents. */
async function generateModule(
  sdl: string,
  baseOutputDir: string,
  { presetConfig, config }: OutputConfig,
  documents: readonly Source[]
): Promise<string> {
  const outputs = await preset.buildGeneratesSection({
    baseOutputDir,
    presetConfig,
    config,
    schema: parse(sdl),
    schemaAst: buildSchema(sdl),
    documents: [...documents],
    plugins: [],
    pluginMap: {}
  })
  // The preset's other files serve documents inside source code; ours are in files of their own.
  return codegen(outputs.find(({ filename }) => filename.endsWith('/graphql.ts'))!)
}

/** The files that codegen.yml describes: path below the root to content. */
export async function generateClient(root: string): Promise<ReadonlyMap<string, string>> {
  const config = parseYaml(readFileSync(join(root, 'codegen.yml'), 'utf8')) as CodegenConfig
  const sdl = readFileSync(join(root, config.schema), 'utf8')
  const sources = (patterns: readonly string[]): Source[] =>
    patterns.flatMap(pattern => filesOf(root, pattern)).map(file => readSource(root, file))
  const files = new Map<string, string>()
  for (const [folder, output] of Object.entries(config.generates)) {
    if (output.filePerDocument === undefined) {
      files.set(`${folder}graphql.ts`, await generateModule(sdl, folder, output, sources(config.documents)))
      continue
    }
    for (const source of sources(output.filePerDocument)) {
      const name = basename(source.location, '.graphql')
      files.set(`${folder}${name}.ts`, await generateModule(sdl, folder, output, [source]))
    }
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
