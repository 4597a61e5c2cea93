import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { specifications } from './conformance-text.ts'
import { type Proof, proofs } from './proofs.ts'
import { statements } from './statements.ts'

const [in311, in5] = specifications

/** The titles of the tests in a file that are run. */
function titlesIn(file: string): Set<string> {
  const source = readFileSync(join(import.meta.dirname, file), 'utf8')
  const calls = source.matchAll(/^ *(?:it|both)\(\s*(?:'([^'\n]+)'|"([^"\n]+)"),/gm)
  return new Set([...calls].map(([, single, double]) => single ?? double ?? ''))
}

describe.for([
  [in311.name, in311.statements, 141],
  [in5.name, in5.statements, 251],
] as const)('%s', ([, statements, count]) => {
  it('has every statement once', () => {
    const ids = statements.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toHaveLength(count)
    for (const id of ids) expect(id).toMatch(/^\d+\.\d+\.\d+-\d+$/)
  })

  it('has a test for every statement that applies, and a reason for every one that does not', () => {
    for (const { id, verdict, reason, proofs } of statements) {
      const isTested = verdict === 'holds' || verdict === 'differs'
      if (isTested) expect([id, proofs]).not.toEqual([id, []])
      const hasReason = verdict === 'absent' || verdict === 'differs'
      expect([id, reason !== undefined]).toEqual([id, hasReason])
    }
  })
})

it('every test that is cited is there, and every one that is listed is cited', () => {
  const titles = new Map<string, Set<string>>()
  for (const [file, title] of Object.values(proofs)) {
    const found = titles.get(file) ?? titlesIn(file)
    titles.set(file, found)
    expect([...found]).toContain(title)
  }
  const cited = new Set<Proof>(statements.flatMap(({ proofs }) => proofs))
  expect(Object.keys(proofs).filter((proof) => !cited.has(proof as Proof))).toEqual([])
})
