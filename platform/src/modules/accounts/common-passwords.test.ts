import { expect, test } from 'vitest'
import { mostCommonPasswords } from './common-password-list.ts'
import { isCommonPassword } from './common-passwords.ts'

test('a password among the thousand most common was accepted', () => {
  expect(new Set(mostCommonPasswords).size).toBe(1000)
  expect(mostCommonPasswords.filter((password) => password.length < 6 || password.length > 20)).toEqual([])
  expect(mostCommonPasswords.filter((password) => !isCommonPassword(password))).toEqual([])
  for (const password of ['123456', 'Prelude', 'LETMEIN', 'ｐａｓｓｗｏｒｄ', 'woaini1314'])
    expect(isCommonPassword(password), password).toBe(true)
  for (const password of ['prelude-harbour-7', 'demo-password'])
    expect(isCommonPassword(password), password).toBe(false)
})
