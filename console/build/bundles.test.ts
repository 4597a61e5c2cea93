import path from 'node:path'
import { expect, test } from 'vitest'
import { readBundles, roots } from './bundles.ts'

const { start, outside, inside, apiDoc, downloads, alarmLinks } = roots
const at = (name: string) => path.join(import.meta.dirname, '..', 'src', name)
const [fonts, language, button, signIn, register, router, list, table, layers, frame, linkPage] = [
  at('fonts'),
  at('language'),
  at('button'),
  at('sign-in'),
  at('register'),
  at('router'),
  at('list'),
  at('table'),
  at('layers'),
  at('frame'),
  at('link-page'),
]
const foreign = '/a/package'

const imports = new Map<string, { now: string[]; later?: string[] }>([
  [start, { now: [fonts, language], later: [outside, inside, apiDoc] }],
  [outside, { now: [button, signIn, layers, frame, foreign], later: [register] }],
  [inside, { now: [button, router, foreign], later: [list] }],
  [apiDoc, { now: [layers] }],
  [downloads, { now: [] }],
  [alarmLinks, { now: [], later: [linkPage] }],
  [linkPage, { now: [frame] }],
  [list, { now: [language, table] }],
])

const { isBase, isSignIn } = readBundles({
  getModuleInfo: (id) => ({
    importedIds: imports.get(id)?.now ?? [],
    dynamicallyImportedIds: imports.get(id)?.later ?? [],
  }),
})
const all = [
  start,
  outside,
  inside,
  fonts,
  language,
  button,
  signIn,
  register,
  router,
  list,
  table,
  layers,
  frame,
  foreign,
]

test('the base contains the entry and its needs, and the modules of both bundles, also those loaded later', () => {
  expect(all.filter(isBase)).toEqual([start, fonts, language, button, layers, frame])
})

test('the API reference does not use the sign-in, whose file would redirect it', () => {
  expect(isBase(layers)).toBe(true)
  expect(isSignIn(layers)).toBe(false)
})

test('the pages of links in mails take nothing from the sign-in, nor do the screens that they load later', () => {
  expect(isBase(frame)).toBe(true)
  expect(isSignIn(frame)).toBe(false)
})

test('the sign-in has what nothing behind a session needs, without the screens that it loads later', () => {
  expect(all.filter(isSignIn)).toEqual([outside, signIn])
})
