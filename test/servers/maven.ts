import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { requireTool } from './missing-tool.js'
import { runCommand } from './run-command.js'

const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1'

/** Runs a goal of Maven's dependency plugin in `folder`, with a local repository of its own that is removed afterwards. */
export async function runDependencyPlugin(folder: string, goal: string, args: readonly string[]): Promise<void> {
  await requireTool('mvn', ['--version'], 'Apache Maven (mvn) is needed to fetch search servers')
  const repository = join(folder, 'repository')
  await runCommand('mvn', ['-q', '-B', `-Dmaven.repo.local=${repository}`, `${PLUGIN}:${goal}`, ...args], { cwd: folder })
  await rm(repository, { recursive: true, force: true })
}
