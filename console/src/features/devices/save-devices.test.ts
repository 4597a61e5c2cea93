import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Machine } from '../../entities/machine/machine.ts'
import type { MachineTypes } from '../../entities/machine/machine-icon.tsx'
import { en } from '../../shared/i18n/en/index.ts'
import { browserZone, setZone } from '../../shared/i18n/zone.ts'
import { noSettings, type TableSettings } from '../../shared/ui/table/settings.ts'
import { shownColumns } from '../../shared/ui/table/shown-columns.ts'
import { formatRows } from '../../shared/ui/table/table-csv.ts'
import type { DeviceSpace } from './space.ts'

// The page's live connection wants a browser.
vi.mock('../../shared/api/live.ts', () => ({ useIsLive: () => true }))

let machineColumns: typeof import('./list/machine-columns.tsx').machineColumns
let exportedColumns: typeof import('./save-devices.ts').exportedColumns
beforeAll(async () => {
  ;({ machineColumns } = await import('./list/machine-columns.tsx'))
  ;({ exportedColumns } = await import('./save-devices.ts'))
})

const press = {
  id: 1,
  name: '=HYPERLINK("x")',
  code: '1234 5678',
  remark: 'Hall 3',
  model: 'FX5U',
  level: 3,
  online: true,
  openAlarms: 2,
  worstAlarm: 'critical',
  lastSeen: Date.UTC(2026, 10, 22, 20),
  groups: [{ id: 7, name: 'North' }],
  overview: {
    keyTag: { tagId: 9, name: 'Pressure', unit: 'bar', scale: 1, value: 4.25, time: 1 },
    spark: [],
    strip24h: [1, 1, 3, 0],
  },
  enterprise: null,
} as unknown as Machine

const columnsIn = (space: DeviceSpace) =>
  machineColumns({
    text: en,
    types: { name: () => 'Press' } as unknown as MachineTypes,
    onOpen: () => {},
    onKeys: () => {},
    place: 'group',
    hasAddresses: false,
    isCompact: false,
    space,
    hasPane: false,
    sparkWidth: 72,
  })

function linesOf(settings: TableSettings) {
  const shown = shownColumns(columnsIn({ kind: 'personal' }), settings)
  return formatRows(exportedColumns(shown, en), [press]).replace('\uFEFF', '').trimEnd().split('\r\n')
}

beforeEach(() => {
  setZone('Asia/Shanghai')
  vi.stubGlobal('location', new URL('https://busbar.test/index/'))
})
afterEach(() => {
  setZone(browserZone)
  vi.unstubAllGlobals()
})

describe('the exported devices', () => {
  test('have the columns that are shown, times in the zone of the person, and no formula', () => {
    expect(linesOf(noSettings)).toEqual([
      'Device,Machine code,State,Alarms,Key value,"Status, 24 h",Group,Controller,Role,Last report',
      `"'=HYPERLINK(""x"")",1234 5678,Alarm,2,Pressure: 4.3 bar,0.6666666666666666,North,FX5U,Akey,2026-11-23T04:00:00.000+08:00`,
    ])
  })

  test('leave out a hidden column, and have one that was shown', () => {
    const [header] = linesOf({
      ...noSettings,
      shown: { alarms: false, strip: false, remark: true, code: true },
    })
    expect(header).toBe('Device,Machine code,State,Key value,Group,Remark,Controller,Role,Last report')
  })
})

describe('the columns of the device list', () => {
  const idsIn = (space: DeviceSpace) => shownColumns(columnsIn(space), noSettings).map(({ id }) => id)
  const ofEnterprise = { eid: 1, type: 1, permission: undefined } as const

  test('keep the name at the start and the actions at the end in every space', () => {
    for (const space of [
      { kind: 'personal' },
      { kind: 'owned', ...ofEnterprise },
      { kind: 'maintained', ...ofEnterprise, type: 2 },
    ] satisfies DeviceSpace[]) {
      const ids = idsIn(space)
      expect([ids[0], ids.at(-1)]).toEqual(['name', 'actions'])
    }
  })

  test('say what belongs to the space', () => {
    expect(idsIn({ kind: 'personal' })).not.toContain('added')
    expect(idsIn({ kind: 'owned', ...ofEnterprise })).toContain('added')
    expect(idsIn({ kind: 'owned', ...ofEnterprise })).not.toContain('window')
    expect(idsIn({ kind: 'maintained', ...ofEnterprise, type: 2 })).toContain('window')
  })

  test('a person hides, shows and pins them', () => {
    const settings: TableSettings = {
      shown: { role: false, remark: true, name: false },
      widths: {},
      pinned: { lastSeen: 'start', name: 'none' },
    }
    const ids = shownColumns(columnsIn({ kind: 'personal' }), settings).map(({ id }) => id)
    expect(ids.slice(0, 2)).toEqual(['lastSeen', 'name'])
    expect(ids).toContain('remark')
    expect(ids).not.toContain('role')
  })
})
