import { describe, expect, it } from 'vitest'
import { VariableColours } from './variable-colours.ts'

const all = Array.from({ length: 40 }, (_, index) => index + 1)
const colours = (assigned: ReadonlyMap<number, number>) => Object.fromEntries(assigned)

describe('colour by variable', () => {
  it('gives each variable of several charts its own colour', () => {
    const assigned = new VariableColours().assign([31, 32, 33, 34, 35, 36], all)
    expect([...assigned.values()].sort()).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('keeps the colour of a variable when another one is removed or comes before it', () => {
    const machine = new VariableColours()
    const before = machine.assign([31, 32, 33], all)
    expect(machine.assign([33, 32], all).get(33)).toBe(before.get(33))
    expect(machine.assign([34, 32, 33], all).get(32)).toBe(before.get(32))
  })

  it('does not give the colour of a removed variable to the next one', () => {
    const machine = new VariableColours()
    const { 31: removed } = colours(machine.assign([31, 32], all))
    machine.assign([32], all)
    expect(machine.assign([32, 33], all).get(33)).not.toBe(removed)
    expect(machine.assign([32, 33, 31], all).get(31)).toBe(removed)
  })

  it('begins with the first colour for each machine', () => {
    const colours = new VariableColours()
    colours.assign([1, 2], [1, 2, 3])
    expect(colours.assign([11], [11, 12]).get(11)).toBe(1)
  })

  it('repeats a colour only where all are in use, and then as seldom as possible', () => {
    const machine = new VariableColours()
    for (let tagId = 1; tagId <= 9; tagId++) machine.assign([tagId], all)
    const shown = machine.assign([1, 7, 2, 8, 3, 9], all)
    expect(new Set(shown.values()).size).toBe(6)
    const many = [...machine.assign(all.slice(0, 12), all).values()]
    for (let colour = 1; colour <= 6; colour++) expect(many.filter((used) => used === colour)).toHaveLength(2)
  })
})
