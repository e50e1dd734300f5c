import type { FastifyInstance } from 'fastify'

/**
 * Adds routes that share hooks and body parsers of their own. Fastify shows the scope by `name`; without one it looks for
 * the function in every module that was loaded.
 */
export function addScope(app: FastifyInstance, name: string, add: (scope: FastifyInstance) => void): void {
  const plugin = async (scope: FastifyInstance): Promise<void> => add(scope)
  void app.register(Object.assign(plugin, { [Symbol.for('fastify.display-name')]: name }))
}
