import type { ReactNode } from 'react'

/** One of the values that a select or a combo box offers. */
export interface Choice<T extends string = string> {
  readonly value: T
  readonly label: string
  /** Said at the end of its line: a unit, an offset, a count. */
  readonly hint?: string | undefined
  /** A sentence under its label. */
  readonly detail?: string | undefined
  /** Further words by which a search finds it. */
  readonly words?: string | undefined
  /** The name of its group; choices of one group follow each other. */
  readonly group?: string | undefined
  readonly icon?: ReactNode
  readonly disabled?: boolean | undefined
}

/** Choices of one group, in their order. */
export interface ChoiceGroup<T extends string> {
  readonly name: string | undefined
  readonly choices: readonly Choice<T>[]
}

/** The choices by their groups, in the order in which the groups appear. */
export function groupChoices<T extends string>(choices: readonly Choice<T>[]): ChoiceGroup<T>[] {
  const groups = new Map<string | undefined, Choice<T>[]>()
  for (const choice of choices) {
    const group = groups.get(choice.group)
    if (group) group.push(choice)
    else groups.set(choice.group, [choice])
  }
  return [...groups].map(([name, members]) => ({ name, choices: members }))
}
