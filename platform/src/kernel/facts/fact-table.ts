import type { Fact, FactKind } from './fact-kinds.ts'

/** The reactions to facts, by kind; `ask` answers what a fact does not contain. */
export type FactTable<Answer, Ask = undefined> = {
  readonly [Kind in FactKind]?: (fact: Fact<Kind>, ask: Ask) => Answer
}

/** The kinds that a table has an entry for. */
export const kindsOf = (table: FactTable<unknown, never>): FactKind[] => Object.keys(table) as FactKind[]

/** The reaction to a fact; undefined without an entry. */
export function lookUp<Answer, Ask>(table: FactTable<Answer, Ask>, fact: Fact, ask: Ask): Answer | undefined {
  // The entry of a kind takes facts of that kind.
  const entry = table[fact.kind] as ((fact: Fact, ask: Ask) => Answer) | undefined
  return entry?.(fact, ask)
}
