import { demoMachineCode } from '@busbar/contract'
import { describe, expect, test } from 'vitest'
import { type AccessFacts, decideAccess } from './access-rules.ts'

const now = 1_800_000_000_000
const stranger: AccessFacts = {
  machineCode: '3020882951040806712',
  cloudService: true,
  isOwner: false,
  isListed: false,
  grant: undefined,
}
const visitor = (until: Date | null, readOnly = false): AccessFacts => ({
  ...stranger,
  isListed: true,
  grant: { role: 'visitor', until, readOnly },
})
const rightsOf = (facts: AccessFacts, demo = false) => [...decideAccess(facts, now, demo).rights]

describe('what a user may do to a machine', () => {
  test('a stranger may do nothing', () => {
    expect(rightsOf(stranger)).toEqual([])
  })

  test('an ordinary user only has it in the list', () => {
    expect(rightsOf({ ...stranger, isListed: true })).toEqual(['listed'])
  })

  test('the Akey may do everything', () => {
    expect(rightsOf({ ...stranger, isOwner: true })).toEqual([
      'listed',
      'holder',
      'visitor+',
      'bkey+',
      'akey',
    ])
  })

  test('a Bkey may do everything but what is the Akey’s alone', () => {
    const facts: AccessFacts = {
      ...stranger,
      isListed: true,
      grant: { role: 'bkey', until: null, readOnly: false },
    }
    expect(rightsOf(facts)).toEqual(['listed', 'holder', 'visitor+', 'bkey+'])
  })

  test('a visitor holds it until the very end of the visit time', () => {
    expect(rightsOf(visitor(new Date(now + 1)))).toEqual(['listed', 'holder', 'visitor+'])
    expect(rightsOf(visitor(new Date(now)))).toEqual(['listed'])
    expect(rightsOf(visitor(null))).toContain('visitor+')
  })

  test('a closed cloud service keeps even the Akey from entering', () => {
    expect(rightsOf({ ...stranger, isOwner: true, cloudService: false })).not.toContain('visitor+')
  })

  test('the read-only bit binds visitors and Bkeys, never the Akey', () => {
    expect(decideAccess(visitor(null, true), now, false).readOnly).toBe(true)
    expect(decideAccess({ ...visitor(null, true), isOwner: true }, now, false).readOnly).toBe(false)
  })

  test('anybody enters the demo machine, and only where a demo runs', () => {
    const facts = { ...stranger, machineCode: demoMachineCode }
    expect(rightsOf(facts, true)).toContain('visitor+')
    expect(rightsOf(facts, false)).toEqual([])
  })
})
