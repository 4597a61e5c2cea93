import type { Machine } from '../../entities/machine/machine.ts'
import type { IconName } from '../../shared/ui/icon-paths.ts'
import { rankText } from './fuzzy.ts'

/** The entries of the palette. */
export interface Jump {
  readonly kind: JumpKind
  readonly key: string
  readonly icon: IconName
  readonly label: string
  /** Beside the label: a machine's code, or the space that a page belongs to. */
  readonly note?: string
  readonly isCode?: true
  /** Other words that find it. */
  readonly words?: string
  /** Listed before anything is typed. */
  readonly isUsual?: true
  /** Goes there, or does it. */
  readonly run: () => void
}

export const jumpKinds = ['machine', 'page', 'action'] as const
export type JumpKind = (typeof jumpKinds)[number]

/** More of a kind than a person reads; a few letters more find the rest. */
const shownMax: Readonly<Record<JumpKind, number>> = { machine: 12, page: 8, action: 6 }

/**
 * The jumps that fit what was typed, best first, those of a kind together. With nothing typed: the usual ones, pages
 * first.
 */
export function findJumps(typed: string, jumps: readonly Jump[]): readonly Jump[] {
  if (typed.trim() === '')
    return (['page', 'machine', 'action'] as const).flatMap((kind) =>
      jumps.filter((jump) => jump.kind === kind && jump.isUsual).slice(0, shownMax[kind]),
    )
  const found = jumps.flatMap((jump) => {
    const rank = rankJump(typed, jump)
    return rank === undefined ? [] : [{ jump, rank }]
  })
  const best = (kind: JumpKind) =>
    Math.min(...found.filter(({ jump }) => jump.kind === kind).map(({ rank }) => rank))
  return [...jumpKinds]
    .sort((a, b) => best(a) - best(b) || 0)
    .flatMap((kind) =>
      found
        .filter(({ jump }) => jump.kind === kind)
        .sort((a, b) => a.rank - b.rank)
        .slice(0, shownMax[kind])
        .map(({ jump }) => jump),
    )
}

/** Ranks by the label, or else by all words of the entry. */
function rankJump(typed: string, { label, note = '', words = '' }: Jump): number | undefined {
  const byLabel = rankText(typed, label)
  const byAll = rankText(typed, `${label} ${note} ${words}`)
  if (byLabel === undefined) return byAll === undefined ? undefined : byAll + 1
  return byLabel
}

/** A machine as a jump. */
export function machineJump(machine: Machine, space: string, run: () => void): Jump {
  const { code, name, remark } = machine
  return {
    ...{ kind: 'machine', key: `${space} ${code}`, icon: 'devices', label: name, note: code },
    ...{ isCode: true, words: `${remark} ${space}`, isUsual: true, run },
  }
}
