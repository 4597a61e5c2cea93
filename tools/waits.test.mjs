import { expect, test } from 'vitest'
import { readSources } from './imports.mjs'

/** A busy machine needs so long: the rule of patience.ts, also where a wait has a number of its own. */
const patienceMs = 10_000
const ofTests = /\.test\.(ts|tsx|mjs)$|\/(test-support|testing)\/|^(testkit|e2e)\//
const wait = /\btimeout: (\d[\d_]*)|\bconst (?:deadline|patience|wait|soon)Ms = (\d[\d_]*)/g

/** @param {string} source */
const listShort = (source) =>
  [...source.matchAll(wait)].flatMap(([text, option, constant]) =>
    Number((option ?? constant ?? '').replaceAll('_', '')) < patienceMs ? [text] : [],
  )

test('every wait of a test has ten seconds at least', () => {
  const short = Object.entries(readSources()).flatMap(([path, source]) =>
    ofTests.test(path) ? listShort(source).map((text) => `${path}: ${text}`) : [],
  )
  expect(short).toEqual([])
})

test('a short wait is found', () => {
  const long = "await expect.poll(ask, { timeout: 10_000 }).toBe('yes')\nconst deadlineMs = 15_000\n"
  expect(listShort(long)).toEqual([])
  expect(listShort(long.replaceAll('_000', ''))).toHaveLength(2)
})
