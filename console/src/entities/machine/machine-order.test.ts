import { describe, expect, it } from 'vitest'
import type { Machine } from './machine.ts'
import {
  filterMachines,
  formatSort,
  keepOrder,
  listGroups,
  nextSort,
  parseSort,
  sortMachines,
  summarise,
} from './machine-order.ts'

const collator = new Intl.Collator('zh-CN', { numeric: true })
const strip = (state: number) => Array<number>(24).fill(state)

let lastId = 0
function machine(change: Partial<Machine> = {}): Machine {
  lastId++
  return {
    id: lastId,
    name: `Machine ${lastId}`,
    code: String(lastId).padStart(19, '3'),
    remark: '',
    type: 'cnc',
    model: '',
    checkType: 0,
    online: true,
    lastSeen: 1000,
    cloudService: true,
    level: 3,
    groups: [],
    lat: null,
    lng: null,
    accuracy: null,
    source: null,
    placedAt: null,
    address: '',
    photo: '',
    openAlarms: 0,
    worstAlarm: null,
    overview: { keyTag: null, spark: Array<null>(24).fill(null), strip24h: strip(1) },
    role: 'akey',
    readOnly: false,
    application: null,
    enterprise: null,
    ...change,
  }
}

const names = (list: readonly Machine[]) => list.map((each) => each.name)

describe('the order of the list', () => {
  const calm = machine({ name: 'calm' })
  const gone = machine({ name: 'gone', online: false, openAlarms: 2, worstAlarm: 'critical' })
  const silent = machine({ name: 'silent', online: false })
  const warned = machine({ name: 'warned', openAlarms: 9, worstAlarm: 'minor' })
  const burning = machine({ name: 'burning', openAlarms: 1, worstAlarm: 'critical' })
  const burningMore = machine({ name: 'burning more', openAlarms: 3, worstAlarm: 'major' })
  const noted = machine({ name: 'noted', openAlarms: 1, worstAlarm: 'info' })
  const list = [calm, silent, gone, warned, burning, burningMore, noted]

  it('is trouble first, silence last', () => {
    expect(names(sortMachines(list, null, collator))).toEqual([
      'burning more',
      'gone',
      'burning',
      'warned',
      'noted',
      'calm',
      'silent',
    ])
  })

  it("counts a name's numbers as numbers", () => {
    const presses = [machine({ name: 'P10' }), machine({ name: 'P9' })]
    expect(names(sortMachines(presses, { columnId: 'name', direction: 'ascending' }, collator))).toEqual([
      'P9',
      'P10',
    ])
  })

  it('keeps trouble first among equals, whichever way it runs', () => {
    const sorted = sortMachines([calm, burning], { columnId: 'role', direction: 'descending' }, collator)
    expect(names(sorted)).toEqual(['burning', 'calm'])
  })

  it('puts the least available first', () => {
    const bad = machine({ name: 'bad', overview: { keyTag: null, spark: [], strip24h: strip(3) } })
    const unknown = machine({ name: 'unknown', overview: null })
    const sorted = sortMachines([calm, unknown, bad], { columnId: 'strip', direction: 'ascending' }, collator)
    expect(names(sorted)).toEqual(['bad', 'calm', 'unknown'])
  })

  it('stays while a person looks: known rows keep their place, new ones come last', () => {
    const late = machine({ name: 'late' })
    const shown = [warned.id, calm.id, gone.id]
    expect(names(keepOrder(shown, [late, calm, warned]))).toEqual(['warned', 'calm', 'late'])
  })
})

describe('the sort in the address', () => {
  it('is read and written', () => {
    expect(parseSort('-lastSeen')).toEqual({ columnId: 'lastSeen', direction: 'descending' })
    expect(formatSort(parseSort('-lastSeen'))).toBe('-lastSeen')
    expect(parseSort('nonsense')).toBeNull()
    expect(formatSort(null)).toBeUndefined()
  })

  it('goes first direction, other direction, none', () => {
    const first = nextSort(null, 'alarms')
    expect(first).toEqual({ columnId: 'alarms', direction: 'descending' })
    const second = nextSort(first, 'alarms')
    expect(second?.direction).toBe('ascending')
    expect(nextSort(second, 'alarms')).toBeNull()
    expect(nextSort(second, 'name')).toEqual({ columnId: 'name', direction: 'ascending' })
  })
})

describe('the order of devices that an enterprise maintains', () => {
  it('has the window that ends first on top, and devices without a window at the end', () => {
    const maintained = (name: string, stop: number | null) =>
      machine({
        name,
        enterprise: {
          eid: 1,
          type: 2,
          addedAt: 0,
          ip: '',
          iccid: '',
          platform: '',
          window: stop === null ? null : { start: 0, stop, isSuspended: false },
        },
      })
    const list = [maintained('none', null), maintained('late', 9), maintained('soon', 5)]
    expect(names(sortMachines(list, parseSort('window'), collator))).toEqual(['soon', 'late', 'none'])
  })
})

describe('a search', () => {
  const press = machine({
    name: '注塑机 H-380T',
    code: '3020882951040806712',
    remark: 'Line 1',
  })
  const tower = machine({ name: 'Cooling tower CT-2', code: '1727032508237462602' })
  const find = (query: string) => names(filterMachines([press, tower], { query, state: null, groupId: null }))

  it('finds by name, code and remark, whatever the case', () => {
    expect(find('h-380')).toEqual([press.name])
    expect(find('8237')).toEqual([tower.name])
    expect(find('line 1')).toEqual([press.name])
    expect(find('注塑')).toEqual([press.name])
  })

  it('finds words in any order, and a code written in groups', () => {
    expect(find('tower cooling')).toEqual([tower.name])
    expect(find('3020 8829')).toEqual([press.name])
  })

  it('leaves everything when it is empty', () => {
    expect(find('   ')).toHaveLength(2)
  })

  it('finds by the name of a group', () => {
    const grouped = machine({ name: 'Saw', groups: [{ id: 7, name: 'Hall A' }] })
    expect(filterMachines([press, grouped], { query: 'hall saw', state: null, groupId: null })).toEqual([
      grouped,
    ])
  })

  it('finds a device that is offline and in alarm by both: offline hid its alarms', () => {
    const both = machine({ online: false, openAlarms: 14, worstAlarm: 'critical' })
    const of = (state: 'alarm' | 'offline' | 'online') =>
      filterMachines([both], { query: '', state, groupId: null })
    expect([of('alarm'), of('offline'), of('online')]).toEqual([[both], [both], []])
    const { states, worstStates } = summarise([both])
    expect(states).toMatchObject({ alarm: 1, offline: 1, online: 0 })
    expect(worstStates).toMatchObject({ alarm: 1, offline: 0, online: 0 })
    expect(sortMachines([press, both], null, collator)).toEqual([both, press])
  })

  it('joins with state and group', () => {
    const grouped = machine({ groups: [{ id: 7, name: 'Hall' }], openAlarms: 1, worstAlarm: 'critical' })
    const filter = { query: '', state: 'alarm' as const, groupId: 7 }
    expect(filterMachines([press, grouped], filter)).toEqual([grouped])
    expect(filterMachines([press, grouped], { ...filter, state: 'online' })).toEqual([])
  })
})

describe('the summary', () => {
  it('counts the machines that the filters leave', () => {
    const summary = summarise([
      machine({ openAlarms: 2, worstAlarm: 'critical' }),
      machine({ online: false, openAlarms: 1, worstAlarm: 'minor' }),
      machine(),
      machine({ overview: null }),
    ])
    expect(summary).toMatchObject({
      total: 4,
      onlineShare: 0.75,
      openAlarms: 3,
      machinesWithAlarms: 2,
      fineShare: 1,
    })
    expect(summary.states).toEqual({ alarm: 1, warning: 1, online: 2, service: 0, offline: 1 })
  })

  it('has no share for an empty list', () => {
    expect(summarise([])).toMatchObject({ total: 0, onlineShare: null, fineShare: null })
  })
})

describe('groups', () => {
  it('are those in use, with their counts, by name', () => {
    const a = { id: 1, name: 'Hall 10' }
    const b = { id: 2, name: 'Hall 9' }
    const groups = listGroups([machine({ groups: [a, b] }), machine({ groups: [a] }), machine()], collator)
    expect(groups).toEqual([
      { id: 2, name: 'Hall 9', count: 1 },
      { id: 1, name: 'Hall 10', count: 2 },
    ])
  })

  it('are also those without a machine: they are there to be filled', () => {
    const used = { id: 1, name: 'Hall' }
    const known = [used, { id: 2, name: 'Annex' }]
    expect(listGroups([machine({ groups: [used] })], collator, known)).toEqual([
      { id: 2, name: 'Annex', count: 0 },
      { id: 1, name: 'Hall', count: 1 },
    ])
  })
})
