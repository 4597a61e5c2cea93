import type { BoardLayout, BoardTag, Lang, Tile } from '@busbar/contract'
import type { Transaction } from 'kysely'
import type { DB } from '../kernel/database/schema.gen.ts'
import { insertBoard } from '../modules/boards/index.ts'
import type { DemoPlant } from './demo-enterprise.ts'

const hourMs = 3_600_000
const words = {
  cn: {
    name: '注塑与供水',
    note: '注塑机：模具温度高于 90 °C 时请先检查冷却水。\n供水：出口压力应保持在 0.36 MPa 以上。',
    noteTitle: '交接班提示',
    temperatures: '温度',
    states: '运行状态',
    alarms: '当前报警',
    station: '加压站',
    barrel: '料筒',
  },
  en: {
    name: 'Moulding and water',
    note: 'Press: check the cooling water first when the mould is hotter than 90 °C.\nWater: keep the outlet pressure above 0.36 MPa.',
    noteTitle: 'For the next shift',
    temperatures: 'Temperatures',
    states: 'States',
    alarms: 'Alarms now',
    station: 'Booster station',
    barrel: 'Barrel',
  },
} as const satisfies Record<Lang, Record<string, string>>

/** The groups of the press's variables, as it names them. */
const pressGroups = {
  mould_temp: 'Mould',
  cooling_ok: 'Mould',
  pressure: 'Hydraulics',
  oil_temp: 'Hydraulics',
  cycle_time: 'Cycle',
  shots: 'Cycle',
  phase: 'Cycle',
  active_power: 'Power',
  barrel_temp_1: 'Barrel',
  barrel_temp_3: 'Barrel',
} as const

/** A board of each demo account, made once: with a tile of every usual kind. */
export async function createDemoBoard(trx: Transaction<DB>, plant: DemoPlant): Promise<void> {
  const { lang, ownerId, machineIds, madeAt } = plant
  const [press, pumps] = [machineIds.get('injection-press'), machineIds.get('booster-pumps')]
  const known = await trx
    .selectFrom('boards')
    .select('id')
    .where('user_id', '=', ownerId)
    .limit(1)
    .executeTakeFirst()
  if (known || press === undefined || pumps === undefined) return
  const t = words[lang]
  const layout = layoutOf(press, pumps, t)
  await insertBoard(
    trx,
    { userId: ownerId },
    { name: t.name, layout },
    { userId: ownerId, at: new Date(madeAt) },
  )
}

function layoutOf(press: number, pumps: number, t: (typeof words)[Lang]): BoardLayout {
  const ofPress = (tag: keyof typeof pressGroups): BoardTag => ({
    machine: press,
    group: pressGroups[tag],
    tag,
  })
  const ofPumps = (tag: string): BoardTag => ({ machine: pumps, group: '', tag })
  const tiles: Tile[] = [
    { id: 'mould', type: 'value', title: '', x: 0, y: 0, w: 4, h: 3, tag: ofPress('mould_temp') },
    { id: 'cooling', type: 'state', title: '', x: 0, y: 3, w: 4, h: 2, tag: ofPress('cooling_ok') },
    {
      id: 'pressure',
      ...{ type: 'gauge', title: '', x: 4, y: 0, w: 5, h: 5 },
      tag: ofPress('pressure'),
      ...{ min: null, max: null },
    },
    {
      id: 'press',
      ...{ type: 'picture', title: '', x: 9, y: 0, w: 8, h: 5 },
      machine: press,
      tags: (['cycle_time', 'shots', 'active_power', 'oil_temp'] as const).map(ofPress),
    },
    {
      id: 'alarms',
      ...{ type: 'alarms', title: t.alarms, x: 17, y: 0, w: 7, h: 9 },
      machines: [],
      level: 'info',
    },
    {
      id: 'temperatures',
      ...{ type: 'trend', title: t.temperatures, x: 0, y: 5, w: 17, h: 8, axes: 'several' },
      tags: [ofPress('mould_temp'), ofPress('oil_temp'), ofPumps('outlet_pressure')],
    },
    {
      id: 'barrel',
      ...{ type: 'bar', title: t.barrel, x: 17, y: 9, w: 7, h: 4, min: 0, max: 280 },
      tags: [ofPress('barrel_temp_1'), ofPress('barrel_temp_3')],
    },
    {
      id: 'states',
      ...{ type: 'strip', title: t.states, x: 0, y: 13, w: 13, h: 4 },
      tags: [ofPress('phase'), ofPress('cooling_ok')],
    },
    {
      id: 'made',
      ...{ type: 'value', title: '', x: 13, y: 13, w: 4, h: 4, figure: 'rise' },
      tag: ofPress('shots'),
    },
    { id: 'note', type: 'text', title: t.noteTitle, x: 17, y: 13, w: 7, h: 4, text: t.note },
    {
      id: 'station',
      ...{ type: 'table', title: t.station, x: 0, y: 17, w: 17, h: 6 },
      tags: ['outlet_pressure', 'pressure_sp', 'flow', 'total_volume'].map(ofPumps),
    },
    { id: 'page', type: 'page', title: '', x: 17, y: 17, w: 7, h: 4, machine: press },
  ]
  return { variable: null, range: { lastMs: hourMs }, tiles }
}
