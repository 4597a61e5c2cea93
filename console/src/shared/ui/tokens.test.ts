import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { tokensCss, tokensCssFile } from '../../../build/generate-tokens.ts'

it('has its stylesheet of tokens up to date', () => {
  expect(readFileSync(tokensCssFile, 'utf8')).toBe(tokensCss())
})
