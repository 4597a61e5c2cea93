import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './checkout.mjs'
import { readSources } from './imports.mjs'
import { listReplaceable } from './style-rules.mjs'

const ofConsole = 'console/src'
const sources = Object.fromEntries(
  Object.entries(readSources()).filter(([path]) => path.startsWith(ofConsole) && path.endsWith('.tsx')),
)
const sheets = Object.fromEntries(
  readdirSync(join(root, ofConsole), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.module.css'))
    .map((path) => [`${ofConsole}/${path}`, readFileSync(join(root, ofConsole, path), 'utf8')]),
)

/** Pages before a session, and the fields on them: they do not load the layout parts. */
const beforeSession = ['features/recovery/', 'features/sign-in/', 'shared/ui/field']
const without = beforeSession.map((path) => `${ofConsole}/${path}`)

const replaceable = listReplaceable(sheets, sources)

test('no class does what a layout part does', () => {
  expect(replaceable.filter((found) => !without.some((path) => found.startsWith(path)))).toEqual([])
})

test('the pages before a session still have such classes', () => {
  expect(without.filter((path) => !replaceable.some((found) => found.startsWith(path)))).toEqual([])
})

describe('a class', () => {
  const find = (/** @type {string} */ sheet, /** @type {string} */ jsx) =>
    listReplaceable({ 'a/b.module.css': sheet }, { 'a/b.tsx': `import css from './b.module.css'\n${jsx}` })
  const row = '.row {\n  display: flex;\n  align-items: center;\n  gap: 8px;\n}\n'

  test.each([
    ['that is a row', row, '<div className={css.row}>'],
    ['that is a text', '.lead {\n  color: var(--text3);\n}\n', '<p id="a" className={css.lead}>'],
    [
      'after another rule',
      `.own {\n  height: 3px;\n}\n\n${row}`,
      '<i className={css.own} /><ul className={css.row}>',
    ],
  ])('%s is found', (_, sheet, jsx) => {
    expect(find(sheet, jsx)).toHaveLength(1)
  })

  test.each([
    ['with a look of its own', row.replace('8px', '9px'), '<div className={css.row}>'],
    [
      'that changes on a phone',
      `${row}[data-layout="narrow"] .row {\n  gap: 4px;\n}\n`,
      '<div className={css.row}>',
    ],
    ['of a component', row, '<Button className={css.row}>'],
    ['beside another class', row, '<div className={classes(css.row, isOpen && css.open)}>'],
    ['of many elements', row, '<div className={css.row}>'.repeat(4)],
  ])('%s is left alone', (_, sheet, jsx) => {
    expect(find(sheet, jsx)).toEqual([])
  })
})
