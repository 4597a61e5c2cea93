import { describe, expect, test } from 'vitest'
import { checkImports, listNeedless, listOutsideLayers } from './import-rules.mjs'
import { readImports, readSources } from './imports.mjs'

const sources = readSources()

test('no import of the project leads where it may not, and none is part of a circle', () => {
  expect(checkImports(sources)).toEqual([])
})

test('the edge imports every module that it is allowed to', () => {
  expect(listNeedless(sources)).toEqual([])
})

test('every file of the console belongs to a layer, and every entity to their order', () => {
  expect(listOutsideLayers(Object.keys(sources))).toEqual([])
  const planted = ['console/src/app/a.ts', 'console/src/entities/other/a.ts', 'console/src/entities/a.ts']
  expect(listOutsideLayers(planted)).toEqual(planted)
})

/**
 * Two files, one of which imports the other.
 * @param {string} from
 * @param {string} to
 * @param {string} [specifier]
 */
const pairOf = (from, to, specifier = relative(from, to)) => ({
  [from]: `import { it } from '${specifier}'\n`,
  [to]: 'export const it = 1\n',
})

/**
 * @param {string} from
 * @param {string} to
 */
const relative = (from, to) => `${'../'.repeat(from.split('/').length - 1)}${to}`

const src = 'platform/src'
const pages = 'console/src'

describe('an import that leads where it may not is found', () => {
  test.each([
    ['the kernel knows the edge', `${src}/kernel/http/upgrades.ts`, `${src}/edge/limits.ts`],
    ['the kernel knows a module', `${src}/kernel/http/bind.ts`, `${src}/modules/brands/index.ts`],
    ['the kernel knows the pages', `${src}/kernel/events/a.ts`, `${src}/realtime/frames.ts`],
    [
      'the edge imports a module without a reason',
      `${src}/edge/gateway.ts`,
      `${src}/modules/access/index.ts`,
    ],
    ['a module knows the pages', `${src}/modules/writes/publish-write.ts`, `${src}/realtime/frames.ts`],
    ['a module knows the visit host', `${src}/modules/visits/visits.ts`, `${src}/visit-host/rules.ts`],
    ['the pages know the visit host', `${src}/realtime/hub.ts`, `${src}/visit-host/rules.ts`],
    ['the visit host knows the pages', `${src}/visit-host/rules.ts`, `${src}/realtime/hub.ts`],
    ['a module knows the commands', `${src}/modules/operator/a.ts`, `${src}/cli/command.ts`],
    [
      'the edge passes the index of a module',
      `${src}/edge/gateway.ts`,
      `${src}/modules/telemetry/telemetry.ts`,
    ],
    ['the visit host passes the index', `${src}/visit-host/relay.ts`, `${src}/modules/visits/visit-port.ts`],
    [
      'a module passes the index of another',
      `${src}/modules/writes/a.ts`,
      `${src}/modules/access/grants-store.ts`,
    ],
    ['the program passes the edge link', `${src}/main.ts`, `${src}/edge/gateway.ts`],
    ['a setting knows more of the edge than limits', `${src}/config.ts`, `${src}/edge/gateway.ts`],
    [
      'a module knows the form of the edge link',
      `${src}/modules/writes/a.ts`,
      `${src}/edge-link/local-edge-link.ts`,
    ],
    ['a module imports the whole platform', `${src}/modules/operator/a.ts`, `${src}/platform.ts`],
    ['the kernel imports the whole platform', `${src}/kernel/jobs/a.ts`, `${src}/platform.ts`],
    [
      'the product imports test support',
      `${src}/modules/visits/visits.ts`,
      'platform/test-support/visits/visits-harness.ts',
    ],
    ['shared knows an entity', `${pages}/shared/ui/a.tsx`, `${pages}/entities/machine/a.ts`],
    ['shared knows main', `${pages}/shared/session/a.ts`, `${pages}/main/router.tsx`],
    ['an entity knows a feature', `${pages}/entities/visit/a.ts`, `${pages}/features/visits/a.ts`],
    ['an entity knows one above it', `${pages}/entities/machine/a.ts`, `${pages}/entities/visit/a.ts`],
    ['a feature knows another', `${pages}/features/devices/a.tsx`, `${pages}/features/visits/a.ts`],
    [
      'a folder of a feature knows another',
      `${pages}/features/keys/b/a.ts`,
      `${pages}/features/friends/c/a.ts`,
    ],
    ['a feature knows main', `${pages}/features/sign-in/a.ts`, `${pages}/main/inside.tsx`],
    ['the product imports a test', 'agent/src/log.ts', 'agent/src/log.test.ts'],
  ])('%s', (_, from, to) => {
    expect(checkImports(pairOf(from, to))).toEqual([expect.stringContaining(`${from} imports ${to}`)])
  })

  test('the product imports the testkit by its package', () => {
    const planted = pairOf(`${src}/main.ts`, 'testkit/src/index.ts', '@busbar/testkit')
    expect(checkImports(planted)).toHaveLength(1)
  })
})

describe('an import that leads where it may is let through', () => {
  test.each([
    ['a module imports the kernel', `${src}/modules/writes/a.ts`, `${src}/kernel/kernel.ts`],
    ['a module imports another by its index', `${src}/modules/writes/a.ts`, `${src}/modules/access/index.ts`],
    ['by that of a folder', `${src}/modules/visits/a.ts`, `${src}/modules/access/applications/index.ts`],
    [
      'a folder of a module imports the module',
      `${src}/modules/access/applications/a.ts`,
      `${src}/modules/access/b.ts`,
    ],
    ['the edge stores telemetry', `${src}/edge/gateway.ts`, `${src}/modules/telemetry/index.ts`],
    ['main imports a feature', `${pages}/main/router.tsx`, `${pages}/features/visits/route.ts`],
    [
      'a feature imports its folders',
      `${pages}/features/devices/a.ts`,
      `${pages}/features/devices/pane/b.ts`,
    ],
    ['an entity imports one below it', `${pages}/entities/visit/a.ts`, `${pages}/entities/machine/b.ts`],
    ['a setting names a limit of the edge', `${src}/config.ts`, `${src}/edge/limits.ts`],
    ['the platform is put together', `${src}/platform.ts`, `${src}/edge-link/edge-link-module.ts`],
    ['a command starts the platform', `${src}/cli/simulate-command.ts`, `${src}/platform.ts`],
    ['a browser test imports what it likes', `${pages}/shared/ui/a.browser-test.tsx`, `${pages}/main/b.tsx`],
    ['a test imports what it likes', `${src}/kernel/a.test.ts`, `${src}/modules/access/grants-store.ts`],
  ])('%s', (_, from, to) => {
    expect(checkImports(pairOf(from, to))).toEqual([])
  })
})

describe('a circle is found', () => {
  test('of files, also of types, also one that a lazy import closes', () => {
    const planted = {
      'console/src/a.ts': "import type { B } from './b.ts'\n",
      'console/src/b.ts': "export { c } from './c.tsx'\n",
      'console/src/c.tsx': "const lazy = () => import('./a.ts')\n",
      'console/src/d.ts': "import './a.ts'\n",
    }
    const circle = 'a circle of files: console/src/a.ts, console/src/b.ts, console/src/c.tsx'
    expect(checkImports(planted)).toEqual([circle])
  })

  test('of modules whose files make none', () => {
    const planted = {
      ...pairOf(`${src}/modules/access/a.ts`, `${src}/modules/messages/index.ts`),
      ...pairOf(`${src}/modules/messages/b.ts`, `${src}/modules/access/index.ts`),
    }
    expect(checkImports(planted)).toEqual(['a circle of modules: access, messages'])
  })
})

describe('an import is read', () => {
  const to = 'platform/src/b.ts'
  test.each([
    ['on one line', "import { b } from './b.ts'"],
    ['of a type', "import type { B } from './b.ts'"],
    ['over several lines', "import {\n  type B,\n  b,\n} from './b.ts'"],
    ['of everything', "import * as b from './b.ts'"],
    ['of a default', "import b, { type B } from './b.ts'"],
    ['for its effect', "import './b.ts'"],
    ['as an export', "export { b } from './b.ts'"],
    ['as an export of everything', "export * from './b.ts'"],
    ['when it is needed', "const b = () =>\n  import('./b.ts')"],
    ['as a type in place', "type B = import('./b.ts').B"],
    ['by its package', "import { b } from '@busbar/platform/b.ts'"],
  ])('%s', (_, text) => {
    const from = 'platform/src/a.ts'
    expect(readImports({ [from]: `const before = 'x'\n${text}\n`, [to]: '' })).toEqual([{ from, to }])
  })
})
