import { describe, expect, it } from 'vitest'
import { parseCodeInput } from './machine-code.ts'

const code = '3020882951040806712'

describe('a machine code as people type it', () => {
  it('is taken as it is', () => {
    expect(parseCodeInput(code)).toEqual({ code, digits: 19, problem: null })
  })

  it.each([
    ['spaces of a label', '3020 8829 5104 0806 712'],
    ['dashes', '3020-8829-5104-0806-712'],
    ['what a message adds', '\u200b 3020882951040806712\r\n'],
    ['an ideographic space', '3020882951\u3000040806712'],
    ['full-width digits', '３０２０８８２９５１０４０８０６７１２'],
  ])('is read through %s', (_, text) => {
    expect(parseCodeInput(text)).toEqual({ code, digits: 19, problem: null })
  })

  it('keeps leading zeros', () => {
    expect(parseCodeInput('0'.repeat(19)).problem).toBeNull()
  })

  it('names the problem', () => {
    expect(parseCodeInput('  ').problem).toBe('empty')
    expect(parseCodeInput('30208829510408O6712').problem).toBe('characters')
    expect(parseCodeInput('302088295104080671')).toMatchObject({ problem: 'tooShort', digits: 18 })
    expect(parseCodeInput(`${code}0`)).toMatchObject({ problem: 'tooLong', digits: 20 })
  })
})
