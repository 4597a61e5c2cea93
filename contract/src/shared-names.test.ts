import { expect, test } from 'vitest'
import { hasControls, shortText } from './index.ts'

const turning = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069']

test('a name that turns the writing direction is refused', () => {
  const name = shortText(1, 20)
  for (const character of turning) {
    expect(hasControls(`gpj${character}.exe`)).toBe(true)
    expect(name.safeParse(`gpj${character}.exe`).success).toBe(false)
  }
})

test('names of any script pass', () => {
  const name = shortText(1, 20)
  for (const text of ['3#泵 (东)', 'Ölpumpe', 'مضخة', 'насос', '👩‍🏭']) {
    expect(hasControls(text)).toBe(false)
    expect(name.parse(text)).toBe(text)
  }
})
