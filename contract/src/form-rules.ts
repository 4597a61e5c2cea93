import { countCharacters, hasControls, hasMarkup, hasSpecialCharacters, textWidth } from './text.ts'

/**
 * A rule of a field, as data: the schemas check requests by it, and a form checks a person's input by the same rule, in
 * the console without any schema. A text is judged as the schema reads it, that is, trimmed if the schema trims.
 */
export type FieldRule =
  /** It must be there; without other rules, since an absent field fits none of them either. */
  | readonly [name: 'required']
  /** Characters as a person counts them. */
  | readonly [name: 'charactersMin' | 'charactersMax', count: number]
  /** The largest width of a text (`textWidth`). */
  | readonly [name: 'widthMax', width: number]
  /** UTF-16 units. */
  | readonly [name: 'unitsMin' | 'unitsMax', count: number]
  /** Not only spaces and invisible characters. */
  | readonly [name: 'visible']
  | readonly [name: 'noControls']
  /** The only control characters are line ends and tabs. */
  | readonly [name: 'lines']
  | readonly [name: 'noMarkup']
  | readonly [name: 'noSpecial']
  /** `kind` names the required form of the text: `email`, `phone`. */
  | readonly [name: 'pattern', kind: string, source: string, flags: string]
  | readonly [name: 'numberMin' | 'numberMax', value: number]
  | readonly [name: 'whole']

export type RuleName = FieldRule[0]

/** The schema's changes of a text before its rules: it trims it, or writes it in small letters. */
export interface FieldRules {
  readonly trims?: true
  readonly lowers?: true
  readonly rules: readonly FieldRule[]
}

/** The rules of a request's fields; a field without any is absent. */
export type FormRules = Readonly<Record<string, FieldRules>>

/** Spaces, marks that only change their neighbours, and invisible characters. */
const unseen = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u{2800}]/gu

/** Whether a text keeps one rule; rules of numbers do not apply to texts. */
export function keepsRule(rule: FieldRule, text: string): boolean {
  switch (rule[0]) {
    case 'charactersMin':
      return countCharacters(text) >= rule[1]
    case 'charactersMax':
      return countCharacters(text) <= rule[1]
    case 'widthMax':
      return textWidth(text) <= rule[1]
    case 'unitsMin':
      return text.length >= rule[1]
    case 'unitsMax':
      return text.length <= rule[1]
    case 'visible':
      return text === '' || text.replace(unseen, '') !== ''
    case 'noControls':
      return !hasControls(text)
    case 'lines':
      return !/[\p{Cc}--[\n\r\t]]/v.test(text)
    case 'noMarkup':
      return !hasMarkup(text)
    case 'noSpecial':
      return !hasSpecialCharacters(text)
    case 'pattern':
      return new RegExp(rule[2], rule[3]).test(text)
    default:
      return true
  }
}

function keepsNumberRule(rule: FieldRule, value: number): boolean {
  switch (rule[0]) {
    case 'numberMin':
      return value >= rule[1]
    case 'numberMax':
      return value <= rule[1]
    case 'whole':
      return Number.isSafeInteger(value)
    default:
      return true
  }
}

/** A text as the schema reads it. */
export function readText({ trims, lowers }: FieldRules, text: string): string {
  const trimmed = trims ? text.trim() : text
  return lowers ? trimmed.toLowerCase() : trimmed
}

/** The first rule a value breaks; undefined if it keeps them all. An empty text that is not required keeps them. */
export function findBrokenRule(field: FieldRules, value: unknown): FieldRule | undefined {
  const { rules } = field
  const required = rules.find(([name]) => name === 'required')
  if (value === undefined || value === null) return required
  if (typeof value === 'number') return rules.find((rule) => !keepsNumberRule(rule, value))
  if (typeof value !== 'string') return undefined
  const text = readText(field, value)
  if (text === '') return required
  return rules.find((rule) => !keepsRule(rule, text))
}
