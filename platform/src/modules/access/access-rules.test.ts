import { demoMachineCode } from '@busbar/contract'
import { describe, expect, test } from 'vitest'
import { type AccessFacts, decideAccess, type EnterpriseMember, entryDenial } from './access-rules.ts'

const now = 1_800_000_000_000
const stranger: AccessFacts = {
  machineCode: '3020882951040806712',
  cloudService: true,
  isOwner: false,
  isListed: false,
  isBlacklisted: false,
  isLeaving: false,
  grant: undefined,
  member: undefined,
  maintenance: undefined,
}
const visitor = (until: Date | null, readOnly = false): AccessFacts => ({
  ...stranger,
  isListed: true,
  grant: { id: 1, role: 'visitor', until, readOnly, alarms: true },
})
const rightsOf = (facts: AccessFacts, demo = false) => [...decideAccess(facts, now, demo).rights]

describe('a user’s rights to a machine', () => {
  test('keys and members of a team with control use its ports, other people do not', () => {
    const uses = (facts: Partial<AccessFacts>) =>
      decideAccess({ ...stranger, ...facts }, now, false).mayUsePorts
    const bkey = { id: 1, role: 'bkey', until: null, readOnly: true, alarms: true } as const
    const member = (rights: EnterpriseMember['rights'], isInTeam: boolean, role: EnterpriseMember['role']) =>
      uses({ member: { role, rights, isInTeam } })
    expect(uses({ isOwner: true })).toBe(true)
    expect(uses({ grant: bkey })).toBe(true)
    expect(uses({ grant: { ...bkey, until: new Date(now) } })).toBe(false)
    expect(uses(visitor(null))).toBe(false)
    expect(uses({})).toBe(false)
    expect(member([], false, 'admin')).toBe(true)
    expect(member(['control'], true, 'member')).toBe(true)
    expect(member(['control'], false, 'member')).toBe(false)
    expect(member(['view'], true, 'member')).toBe(false)
    expect(
      uses({ member: { role: 'member', rights: ['control'], isInTeam: true }, isBlacklisted: true }),
    ).toBe(false)
  })

  test('a stranger has no rights', () => {
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

  test('a Bkey may do everything except what is reserved for the Akey', () => {
    const facts: AccessFacts = {
      ...stranger,
      isListed: true,
      grant: { id: 1, role: 'bkey', until: null, readOnly: false, alarms: true },
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

  test('the alarm bit alone gives no alarms: it needs a right to the machine', () => {
    expect(decideAccess({ ...stranger, isOwner: true }, now, false).alarms).toBe(true)
    expect(decideAccess(visitor(null), now, false).alarms).toBe(true)
    expect(decideAccess(visitor(new Date(now)), now, false).alarms).toBe(false)
    expect(decideAccess({ ...visitor(null), isBlacklisted: true }, now, false).alarms).toBe(false)
  })

  test('an expired visit time limits nobody on the demo machine, and starts no timer', () => {
    const facts = { ...visitor(new Date(now - 1), true), machineCode: demoMachineCode }
    const access = decideAccess(facts, now, true)
    expect([access.level, access.readOnly, access.endsAt]).toEqual([1, false, undefined])
  })

  describe('as a member of the enterprise that owns it', () => {
    const member = (
      rights: EnterpriseMember['rights'],
      more: Partial<EnterpriseMember> & { grant?: AccessFacts['grant'] } = {},
    ): AccessFacts => ({
      ...stranger,
      member: { role: 'member', rights, isInTeam: false, ...more },
      grant: more.grant,
    })
    const held = (facts: AccessFacts) => {
      const { level, readOnly, endsAt } = decideAccess(facts, now, false)
      return [level, readOnly, endsAt]
    }

    test.each([
      ['without a right it is only listed', member([]), [0, false, undefined]],
      [
        'rights about other things let nobody in',
        member(['alarm', 'maintain', 'project']),
        [0, false, undefined],
      ],
      ['manage without the team lets nobody in', member(['manage']), [0, false, undefined]],
      ['the team without manage gives no key', member(['view'], { isInTeam: true }), [1, true, undefined]],
      ['the team with manage equals a Bkey', member(['manage'], { isInTeam: true }), [2, false, undefined]],
      ['view only watches', member(['view']), [1, true, undefined]],
      ['control also changes', member(['control']), [1, false, undefined]],
      ['an administrator equals an Akey', member([], { role: 'admin' }), [3, false, undefined]],
      ['an owner equals an Akey', member([], { role: 'owner' }), [3, false, undefined]],
    ])('%s', (_, facts, expected) => {
      expect(held(facts)).toEqual(expected)
      expect(rightsOf(facts)).toContain('listed')
    })

    test('a key’s read-only bit on this person binds, and a visit time that widens ends', () => {
      const grant = {
        id: 1,
        role: 'visitor' as const,
        until: new Date(now + 5),
        readOnly: true,
        alarms: true,
      }
      expect(held(member(['control'], { grant }))).toEqual([1, true, undefined])
      expect(held(member(['view'], { grant: { ...grant, readOnly: false } }))).toEqual([1, false, now + 5])
      expect(held(member([], { grant }))).toEqual([1, true, now + 5])
    })

    test('the blacklist keeps a member out, but never an owner or administrator', () => {
      expect(held({ ...member(['control', 'manage'], { isInTeam: true }), isBlacklisted: true })[0]).toBe(0)
      expect(held({ ...member([], { role: 'admin' }), isBlacklisted: true })[0]).toBe(3)
    })
  })

  describe('as somebody who maintains it for its owner', () => {
    const hourMs = 3_600_000
    const windowFrom = (start: number, mayControl = true) => ({
      window: { startAt: new Date(start), stopAt: new Date(start + hourMs), mayControl },
    })
    const held = (facts: Partial<AccessFacts>, at = now) => {
      const access = decideAccess({ ...stranger, ...facts }, at, false)
      return [access.by, access.level, access.readOnly, access.endsAt, access.opensAt]
    }
    const closed = [undefined, 0, false, undefined, undefined]

    test('a window lets in from its first moment until its last, exclusive', () => {
      const maintenance = windowFrom(now)
      expect(held({ maintenance }, now - 1)).toEqual([undefined, 0, false, undefined, now])
      expect(held({ maintenance })).toEqual(['maintenance', 1, false, now + hourMs, undefined])
      expect(held({ maintenance }, now + hourMs - 1)[1]).toBe(1)
      expect(held({ maintenance }, now + hourMs)).toEqual(closed)
      expect(held({ maintenance: { window: undefined } })).toEqual(closed)
    })

    test('without the scope control a person can only watch, and holds no key of the machine', () => {
      expect(held({ maintenance: windowFrom(now, false) })).toEqual([
        'maintenance',
        1,
        true,
        now + hourMs,
        undefined,
      ])
      expect(rightsOf({ ...stranger, maintenance: windowFrom(now) })).toEqual([
        'listed',
        'holder',
        'visitor+',
      ])
      expect(rightsOf({ ...stranger, maintenance: windowFrom(now + 1) })).toEqual(['listed'])
    })

    test('the blacklist and the cloud switch win over an open window', () => {
      const maintenance = windowFrom(now)
      expect(held({ maintenance, isBlacklisted: true })).toEqual(closed)
      expect(rightsOf({ ...stranger, maintenance, cloudService: false })).not.toContain('visitor+')
      // The next opening is not shown to somebody it will not let in either.
      expect(held({ maintenance: windowFrom(now + 1), isBlacklisted: true })).toEqual(closed)
    })

    test('the scope alarm holds beside any own right, and never for somebody who is blacklisted', () => {
      const handles = (facts: Partial<AccessFacts>) => {
        const { alarms, handlesAlarms } = decideAccess({ ...stranger, ...facts }, now, false)
        return [alarms, handlesAlarms]
      }
      const maintenance = { ...windowFrom(now), servesAlarms: true }
      expect(handles({ maintenance: windowFrom(now) })).toEqual([true, false])
      expect(handles({ maintenance })).toEqual([true, true])
      const grant = { id: 1, role: 'visitor', until: null, readOnly: true, alarms: false } as const
      expect(handles({ maintenance, grant })).toEqual([true, true])
      expect(handles({ maintenance, isBlacklisted: true })).toEqual([false, false])
      expect(handles({ maintenance, isLeaving: true })).toEqual([false, false])
    })

    test('the scope passthrough lets use ports beside any own right, and never somebody who is blacklisted', () => {
      const uses = (facts: Partial<AccessFacts>, at = now) => {
        const { mayUsePorts, portsEndAt } = decideAccess({ ...stranger, ...facts }, at, false)
        return [mayUsePorts, portsEndAt]
      }
      const end = now + hourMs
      const maintenance = { ...windowFrom(now), portsUntil: new Date(end) }
      const none = [false, undefined]
      expect(uses({ maintenance: windowFrom(now) })).toEqual(none)
      expect(uses({ maintenance })).toEqual([true, end])
      expect(uses({ maintenance }, end)).toEqual([false, end])
      expect(uses({ maintenance, grant: visitor(null).grant })).toEqual([true, end])
      expect(uses({ maintenance, isOwner: true })).toEqual([true, undefined])
      expect(uses({ maintenance, isBlacklisted: true })).toEqual(none)
      expect(uses({ maintenance, isLeaving: true })).toEqual(none)
    })

    test('a service contract lets in without an end, to watch', () => {
      const maintenance = { window: { startAt: new Date(now), stopAt: null, mayControl: false } }
      expect(held({ maintenance }, now + 1_000 * 24 * hourMs)).toEqual([
        'maintenance',
        1,
        true,
        undefined,
        undefined,
      ])
    })

    test('a person’s own right comes first, a key’s read-only bit binds, and a window only widens', () => {
      const maintenance = windowFrom(now)
      const { grant } = visitor(new Date(now + 5), true)
      expect(held({ maintenance, grant })).toEqual(['visitor', 1, true, now + 5, undefined])
      const watching = { role: 'member', rights: ['view'], isInTeam: false } as const
      expect(held({ maintenance, member: watching })).toEqual([
        'maintenance',
        1,
        false,
        now + hourMs,
        undefined,
      ])
      expect(held({ maintenance: windowFrom(now, false), member: watching })[0]).toBe('member')
      expect(held({ maintenance, isOwner: true })).toEqual(['akey', 3, false, undefined, undefined])
    })
  })

  test('a member with `control` who is in no team is called a member, not a team', () => {
    const member = { role: 'member', rights: ['control'], isInTeam: false } as const
    expect(decideAccess({ ...stranger, member }, now, false).by).toBe('member')
    expect(decideAccess({ ...stranger, member: { ...member, isInTeam: true } }, now, false).by).toBe('team')
  })

  test('a blacklisted user keeps only the list entry, whatever grant is left', () => {
    const access = decideAccess({ ...visitor(null), isBlacklisted: true }, now, false)
    expect([...access.rights]).toEqual(['listed'])
    expect(access.role).toBe('blacklisted')
    expect(rightsOf({ ...stranger, machineCode: demoMachineCode, isBlacklisted: true }, true)).toEqual([])
  })

  test.each([
    ['BLACKLIST', { ...visitor(null), isBlacklisted: true }],
    ['CLOUD_EXPIRED', { ...stranger, isOwner: true, cloudService: false }],
    ['CLOUD_EXPIRED', { ...stranger, maintenance: { window: undefined } }],
    ['BLACKLIST', { ...stranger, isBlacklisted: true, maintenance: { window: undefined } }],
    ['REST_TIME_OUT', visitor(new Date(now))],
    ['GENERAL_USER', stranger],
  ])('who may not enter is told why: %s', (code, facts) => {
    expect(entryDenial(facts, now, false)).toBe(code)
  })

  test('anybody enters the demo machine, and only where a demo runs', () => {
    const facts = { ...stranger, machineCode: demoMachineCode }
    expect(rightsOf(facts, true)).toContain('visitor+')
    expect(rightsOf(facts, false)).toEqual([])
  })
})
