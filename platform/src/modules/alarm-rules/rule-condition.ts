import type { alarmRules as contract } from '@busbar/contract'
import { createActiveHours, type HoursSpan } from './active-hours.ts'

const minuteMs = 60_000

/** A variable as the machine names it: it stays the same when the variable gets another type and with it another id. */
export interface TagName {
  readonly group: string
  readonly name: string
}

type Placed<Condition> = Condition extends { readonly tagId: number }
  ? Omit<Condition, 'tagId'> & { readonly tag: TagName }
  : Exclude<Condition, { readonly rules: unknown }>

/** A condition as it is stored. */
export type StoredCondition =
  | Placed<contract.RuleCondition>
  | { readonly kind: 'all' | 'any'; readonly rules: readonly StoredCondition[] }

/** A rule as it is evaluated; times of delays are in seconds. */
export interface RuleTerms {
  readonly condition: StoredCondition
  readonly onDelay: number
  readonly offDelay: number
  readonly activeHours: contract.ActiveHours | null
}

export type Comparable = number | string

/** A condition on one variable, or on the machine's connection, which has an empty `tag`; times in milliseconds. */
export type Leaf = { readonly tag: string } & (
  | {
      readonly kind: 'threshold'
      readonly op: contract.RuleOp
      readonly limit: number
      readonly deadband: number
    }
  | { readonly kind: 'equals'; readonly equals: Comparable }
  | { readonly kind: 'bit'; readonly mask: bigint; readonly isSet: boolean }
  | {
      readonly kind: 'rate'
      readonly perSecond: number
      readonly overMs: number
      readonly isCounter: boolean
    }
  | { readonly kind: 'noData'; readonly silenceMs: number }
  | { readonly kind: 'away'; readonly awayMs: number }
)

/** Indexes of leaves, and their combination. */
export type Branch = number | { readonly isAll: boolean; readonly parts: readonly Branch[] }

/** A rule made ready to be evaluated. */
export interface CompiledRule {
  readonly leaves: readonly Leaf[]
  readonly root: Branch
  readonly onDelayMs: number
  readonly offDelayMs: number
  readonly hours: ((at: number) => HoursSpan) | undefined
  /** Time alone changes a part of the condition. */
  readonly isTimed: boolean
  /** It watches silence or absence, so that time passes for it also while the machine is away. */
  readonly watchesSilence: boolean
  /** It is about the machine's connection, and sees no samples. */
  readonly watchesPresence: boolean
  /** The places of the leaves on each variable. */
  readonly leavesOf: ReadonlyMap<string, readonly number[]>
}

export const keyOfTag = ({ group, name }: TagName): string => `${group}\n${name}`

/** Makes a rule ready; `zone` is that of the machine. */
export function compileRule(terms: RuleTerms, zone: string): CompiledRule {
  const leaves: Leaf[] = []
  const leavesOf = new Map<string, readonly number[]>()
  const place = (condition: StoredCondition): Branch => {
    if ('rules' in condition) return { isAll: condition.kind === 'all', parts: condition.rules.map(place) }
    const leaf = leafOf(condition)
    if (leaf.tag) leavesOf.set(leaf.tag, [...(leavesOf.get(leaf.tag) ?? []), leaves.length])
    return leaves.push(leaf) - 1
  }
  const root = place(terms.condition)
  return {
    leaves,
    root,
    leavesOf,
    onDelayMs: terms.onDelay * 1_000,
    offDelayMs: terms.offDelay * 1_000,
    hours: terms.activeHours ? createActiveHours(terms.activeHours, zone) : undefined,
    isTimed: leaves.some(({ kind }) => kind === 'rate' || kind === 'noData' || kind === 'away'),
    watchesSilence: leaves.some(({ kind }) => kind === 'noData' || kind === 'away'),
    watchesPresence: leaves.some(({ kind }) => kind === 'away'),
  }
}

function leafOf(condition: Exclude<StoredCondition, { rules: unknown }>): Leaf {
  if (condition.kind === 'away') return { tag: '', kind: 'away', awayMs: condition.minutes * minuteMs }
  const tag = keyOfTag(condition.tag)
  switch (condition.kind) {
    case 'threshold':
      return {
        tag,
        kind: 'threshold',
        op: condition.op,
        limit: condition.limit,
        deadband: condition.deadband,
      }
    case 'rate':
      return {
        tag,
        kind: 'rate',
        perSecond: condition.perSecond,
        overMs: condition.overSeconds * 1_000,
        isCounter: condition.isCounter ?? false,
      }
    case 'noData':
      return { tag, kind: 'noData', silenceMs: condition.seconds * 1_000 }
    case 'state':
      return 'bit' in condition
        ? { tag, kind: 'bit', mask: 1n << BigInt(condition.bit), isSet: condition.isSet }
        : { tag, kind: 'equals', equals: comparable(condition.equals) }
  }
}

/** A value as it is compared: a switch is 0 or 1, a whole number beyond 2^53 its digits. */
export function comparable(value: boolean | number | bigint | string): Comparable {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

/** The limit of a leaf for its alarm; null without one. */
export function limitOf(leaf: Leaf): number | null {
  switch (leaf.kind) {
    case 'threshold':
      return leaf.limit
    case 'rate':
      return leaf.perSecond
    case 'noData':
      return leaf.silenceMs / 1_000
    case 'away':
      return leaf.awayMs / minuteMs
    case 'equals':
    case 'bit':
      return null
  }
}
