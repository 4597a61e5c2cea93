import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  describeField,
  enterprises,
  findBrokenRule,
  machines,
  operator,
  registration,
  routes,
  rulesOf,
} from './index.ts'

/** Texts at the limits of every rule: lengths, widths, invisible characters, markup, accounts. */
const texts = [
  ...[
    '',
    ' ',
    '   ',
    'a',
    ' a ',
    'ab',
    'Ab Cd',
    '水',
    '水泵',
    '水泵'.repeat(6),
    'x'.repeat(20),
    'x'.repeat(21),
  ],
  ...['x'.repeat(40), 'x'.repeat(41), 'x'.repeat(64), 'x'.repeat(65), 'x'.repeat(300), '👨‍👩‍👧‍👦'.repeat(5)],
  ...['\u200b', 'a\u0000b', 'a\u202eb', 'a<b', 'a"b', 'a#b', "it's", 'A-b_c·d'],
  ...['lin@forge.test', 'LIN@Forge.Test', 'lin@', '13812345678', '+86 138 1234 5678', '12', 'dev.x'],
  ...['1234567890123456789', '123456', '1234', '#0b7a5b', 'forge.localhost', '1.2.3', 'a--b', '/x'],
]
const numbers = [-1, 0, 0.5, 1, 9, 10, 100, 5_256_000, 5_256_001, 2 ** 53]

const fields = routes
  .filter(({ method }) => method !== 'GET')
  .flatMap((route) =>
    Object.entries<z.ZodType>(route.request.shape).map(
      ([name, schema]) => [`${route.method} ${route.path} ${name}`, schema] as const,
    ),
  )

/** Fields with checks in code: a colour, a zone, a pattern of codes, a code typed in any form, a name in an address. */
const opaque = /accent|timeZone|pattern|subdomain|visitDomain|userCode|target/i

describe('the rules that forms get from the schemas', () => {
  test.each(fields.filter(([name, schema]) => describeField(schema).rules.length > 0 && !opaque.test(name)))(
    'judge as the platform does: %s',
    (_, schema) => {
      const field = describeField(schema)
      const isNumber = field.rules.some(([rule]) => rule.startsWith('number') || rule === 'whole')
      const isRequired = field.rules.some(([rule]) => rule === 'required')
      const different = (isNumber ? numbers : texts).filter((value) => {
        // A field that may be left out is left out where it is empty.
        if (!isRequired && typeof value === 'string' && value.trim() === '') return false
        return schema.safeParse(value).success !== (findBrokenRule(field, value) === undefined)
      })
      expect(different).toEqual([])
    },
  )

  test('name the broken rule, in the order of the schema', () => {
    const { name } = rulesOf(enterprises.createGroup)
    const broken = ['', 'x'.repeat(21), 'a<b', '\u200b', 'a\u0000b'].map(
      (text) => name && findBrokenRule(name, text)?.[0],
    )
    expect(broken).toEqual(['required', 'widthMax', 'noSpecial', 'visible', 'noControls'])
  })

  test('are of fields within another, and of the texts of a list', () => {
    const rules = rulesOf(operator.createBrand)
    const find = (name: string, text: string) => rules[name] && findBrokenRule(rules[name], text)?.[0]
    expect(find('platformName.en', ' ')).toBe('required')
    expect(find('versions.tv.latest', '1.4')).toBe('pattern')
    expect(find('hosts[]', 'forge.example:8080')).toBe('pattern')
    expect(find('hosts[]', 'forge.example')).toBeUndefined()
  })

  test('are of each field that a person fills in', () => {
    expect(Object.keys(rulesOf(machines.addMachine))).toEqual(
      expect.arrayContaining(['machineCode', 'machineName']),
    )
    expect(rulesOf(registration.confirmAccount).email?.rules.some(([name]) => name === 'pattern')).toBe(true)
  })
})
