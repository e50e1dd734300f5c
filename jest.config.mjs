/** Jest runs the sources as ES modules; `npm test` compiles first, because tests of the real process start dist/. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          target: 'es2022',
          transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false }
        },
        module: { type: 'es6' }
      }
    ]
  },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  reporters: ['default', '<rootDir>/test/support/count-reporter.mjs'],
  testTimeout: 30000,
  globalSetup: '<rootDir>/test/servers/jest-setup.mjs',
  globalTeardown: '<rootDir>/test/servers/jest-teardown.mjs'
}
