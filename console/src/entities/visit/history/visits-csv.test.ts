import type { visits } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import { sumUp } from '../../../features/visits/visit-report.ts'
import { en } from '../../../shared/i18n/en/index.ts'
import { getZone } from '../../../shared/i18n/zone.ts'
import { isoLocal } from '../../../shared/ui/data/csv.ts'
import { formatVisits } from './visits-csv.ts'

const visit = (change: Partial<visits.Visit>): visits.Visit => ({
  sessionId: 1,
  user: { userId: 1, name: 'Wei', me: false },
  machine: { machineId: 3, machineCode: '3'.repeat(19), name: 'Press' },
  kind: 'page',
  target: 'page',
  mode: 'rw',
  by: 'visitor',
  project: null,
  from: 1_000,
  until: 61_000,
  idleAt: null,
  releaseAt: null,
  live: false,
  bytesIn: 5,
  bytesOut: 7,
  ports: [],
  controls: false,
  asks: false,
  endedBy: null,
  reason: 'left',
  note: '',
  ...change,
})

describe('visits as a file', () => {
  it('say who, by what right, when and how it ended, with names escaped against formulas', () => {
    const list = [
      visit({}),
      visit({
        user: { userId: 2, name: '=HYPERLINK("x")', me: false },
        reason: 'ended',
        endedBy: 'Ming',
        note: 'a, "b"',
      }),
      visit({ live: true, reason: null, by: null }),
    ]
    const [head, ...rows] = formatVisits(list, en, 31_000).slice(1).split('\r\n')
    expect(head).toBe(
      `From (${getZone()}),To,Duration (s),Person,Access via,Mode,Page,Down (bytes),Up (bytes),End reason`,
    )
    const [from, to] = [isoLocal(1_000), isoLocal(61_000)]
    expect(rows).toEqual([
      `${from},${to},60,Wei,Visitor,Read-write,Device page,7,5,left`,
      `${from},${to},60,"'=HYPERLINK(""x"")",Visitor,Read-write,Device page,7,5,"ended by Ming “a, ""b""”"`,
      `${from},,30,Wei,Not recorded,Read-write,Device page,7,5,`,
      '',
    ])
  })
})

describe('the totals of a report', () => {
  it('counts people by who they are, and a visit under way up to now', () => {
    const list = [
      visit({}),
      visit({ user: { userId: 2, name: 'Wei', me: false } }),
      visit({ live: true, until: 9e9 }),
    ]
    expect(sumUp({ visits: list, writes: [], changes: [] }, 31_000)).toMatchObject({
      visits: 3,
      people: 2,
      lengthMs: 60_000 + 60_000 + 30_000,
      bytesIn: 15,
      bytesOut: 21,
    })
  })
})
