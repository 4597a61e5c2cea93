import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { looks, looksCss, looksCssFile } from '../../../../build/generate-looks.ts'
import { lookNames } from './layout.tsx'

it('has its stylesheet up to date', () => {
  expect(readFileSync(looksCssFile, 'utf8')).toBe(looksCss())
})

it('knows the name of each look', () => {
  expect([...lookNames]).toEqual(Object.keys(looks))
})
