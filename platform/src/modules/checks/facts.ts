import type { checks as contract } from '@busbar/contract'

type Value = contract.CheckFactValue['value']

/** A part's state and facts. */
export interface Found {
  readonly state: contract.CheckPartState
  readonly facts: readonly contract.CheckFactValue[]
}

/** Facts of a part, or of the connection `of`; those that are not known are left out. */
export function listFacts(
  values: Partial<Record<contract.CheckFact, Value | null | undefined>>,
  of = '',
): contract.CheckFactValue[] {
  return Object.entries(values).flatMap(([fact, value]) =>
    value === undefined || value === null ? [] : [{ fact: fact as contract.CheckFact, value, of }],
  )
}

/** The facts of all parts of a check, to be asked by name. */
export class Seen {
  readonly #values = new Map<string, Value>()
  /** The connections that something is known of, in the order of the agent. */
  readonly connections: readonly string[]

  constructor(parts: readonly Pick<Found, 'facts'>[]) {
    const facts = parts.flatMap((part) => part.facts)
    for (const { fact, value, of } of facts) this.#values.set(keyOf(fact, of), value)
    this.connections = [...new Set(facts.map(({ of }) => of))].filter((of) => of !== '')
  }

  /** Whether a fact has this value; false where it is not known. */
  is(fact: contract.CheckFact, value: Value, of = ''): boolean {
    return this.#values.get(keyOf(fact, of)) === value
  }

  /** Of a number or an instant; undefined where it is not known. */
  number(fact: contract.CheckFact, of = ''): number | undefined {
    const value = this.#values.get(keyOf(fact, of))
    return typeof value === 'number' ? value : undefined
  }

  /** Empty where it is not known. */
  text(fact: contract.CheckFact, of = ''): string {
    const value = this.#values.get(keyOf(fact, of))
    return typeof value === 'string' ? value : ''
  }
}

const keyOf = (fact: contract.CheckFact, of: string) => `${fact} ${of}`
