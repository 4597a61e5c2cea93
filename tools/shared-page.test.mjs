import { expect, test } from 'vitest'
import { readSources } from './imports.mjs'

/** Of the files of tests in the browser, which share a page and its modules. */
const ofPage = /\.browser\.test\.tsx$/
const leak = /\bvi\.(?:mock|doMock)\(/g

/** @param {Record<string, string>} sources */
const listLeaks = (sources) =>
  Object.entries(sources).flatMap(([path, source]) =>
    ofPage.test(path) ? [...source.matchAll(leak)].map(([text]) => `${path}: ${text}`) : [],
  )

test('no test in the browser puts another module in a place where the next file’s parts find it', () => {
  expect(listLeaks(readSources())).toEqual([])
})

test('a module in another’s place is found', () => {
  const source = "vi.mock('./has-web-gl.ts', () => ({}))"
  expect(listLeaks({ 'console/src/a.browser.test.tsx': source })).toHaveLength(1)
  expect(listLeaks({ 'console/src/a.test.ts': source })).toEqual([])
})
