import { expect, test } from 'vitest'
import * as texts from './page-texts.ts'

test('an English page of the visit host calls the thing a device, as the console does', () => {
  const written = JSON.stringify([texts, texts.inControl('Ann'), texts.enterQuestion('Press')])
  expect(written.replaceAll(/machine code/gi, '')).not.toMatch(/machine/i)
  expect(written).toContain('Enter device')
})
