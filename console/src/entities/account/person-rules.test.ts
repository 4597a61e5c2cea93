import { describe, expect, it } from 'vitest'
import { joining as cn } from '../../shared/i18n/cn/joining.ts'
import { joining } from '../../shared/i18n/en/joining.ts'
import { findNameProblem, findPasswordProblem } from './person-rules.ts'

const { person } = joining

describe('a name and a password', () => {
  it('a name has two to ten characters as a person counts them, without special ones', () => {
    expect(findNameProblem('李', person)).toBe(person.nameLength(2, 10))
    expect(findNameProblem('李明', person)).toBeUndefined()
    expect(findNameProblem(' Ming-Li 2 ', person)).toBeUndefined()
    expect(findNameProblem('王'.repeat(11), person)).toBe(person.nameLength(2, 10))
    expect(findNameProblem('<b>', person)).toBe(person.nameSpecial)
    expect(findNameProblem('👩🏽‍🔧👩🏽‍🔧', person)).toBe(person.nameSpecial)
  })

  it('a password has six to twenty characters, spaces among them', () => {
    expect(findPasswordProblem('12345', person)).toBe(person.passwordLength(6, 20))
    expect(findPasswordProblem('      ', person)).toBeUndefined()
    expect(findPasswordProblem('x'.repeat(20), person)).toBeUndefined()
    expect(findPasswordProblem('x'.repeat(21), person)).toBe(person.passwordLength(6, 20))
  })

  it('a password’s letters are counted whole, and the Chinese texts say so', () => {
    expect(cn.person.passwordLength(6, 20)).toBe('密码为 6 至 20 个字符')
    expect(cn.person.passwordHint(6, 20)).not.toContain('半个')
  })
})
