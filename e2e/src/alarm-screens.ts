import type { alarms } from '@busbar/contract'
import type { Screen } from './screen.ts'
import type { Lang } from './texts.ts'
import type { View } from './view.ts'

/* The alarm centre with made-up alarms, so that every level and state appears in one list. */

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

type Alarm = alarms.AlarmRow
type Words = Record<'machine' | 'second' | 'tag' | 'person' | 'note' | 'reason' | 'instruction', string> & {
  readonly texts: readonly string[]
}

const words: Record<Lang, Words> = {
  cn: {
    machine: '二号杀菌机',
    second: '五号灌装机',
    tag: '保温温度',
    person: '陈晓燕',
    note: '已通知维修班，蒸汽阀卡滞',
    reason: '等待备件，传感器误报',
    instruction: '检查蒸汽阀和进料温度。\n温度低于 70 °C 时停止出料。',
    texts: [
      '保温温度过低',
      '变频器过载',
      '进料泵压力偏低',
      '批次切换提示',
      '冷却水流量低于下限，杀菌段可能失去保护',
    ],
  },
  en: {
    machine: 'Plate pasteuriser',
    second: 'Filler 5',
    tag: 'Holding temperature',
    person: 'Maria Schneider-Lindqvist',
    note: 'Maintenance has been told, the steam valve sticks',
    reason: 'Waiting for a spare part, the sensor is faulty',
    instruction: 'Check the steam valve and the feed temperature.\nStop the outlet below 70 °C.',
    texts: [
      'Holding temperature too low',
      'Drive overload',
      'Feed pump pressure low',
      'Batch change',
      'Cooling water flow below its limit, the holding section may lose its protection',
    ],
  },
}

const levels = ['critical', 'major', 'minor', 'info'] as const
const stages = [
  'activeUnacknowledged',
  'activeAcknowledged',
  'clearedUnacknowledged',
  'normal',
  'shelved',
  'outOfService',
] as const

const isActive = (stage: Alarm['stage']) => stage !== 'normal' && stage !== 'clearedUnacknowledged'

function alarm(lang: Lang, place: number, now: number): Alarm {
  const { texts, machine, second, tag, person, note } = words[lang]
  const stage = stages[place % stages.length] ?? 'normal'
  const raisedAt = now - (place * place + 1) * 11 * minuteMs
  const confirmed = stage === 'normal' || stage === 'activeAcknowledged'
  return {
    alarmId: place + 1,
    machineId: place % 3 === 1 ? 902 : 901,
    machineCode: `88${String(place % 3).padStart(17, '0')}`,
    machineName: place % 3 === 1 ? second : machine,
    key: `A-${101 + place}`,
    ruleId: place % 2 === 0 ? 12 : null,
    tagId: place % 4 === 3 ? null : 5,
    tag: place % 4 === 3 ? null : tag,
    unit: '°C',
    level: levels[place % levels.length] ?? 'info',
    text: texts[place % texts.length] ?? '',
    value: place % 4 === 3 ? null : 68.4 + place,
    limit: place % 4 === 3 ? null : 72,
    count: place % 3 === 0 ? 14 : 1,
    state: isActive(stage) ? 'active' : 'cleared',
    stage,
    raisedAt,
    receivedAt: raisedAt + 40,
    clearedAt: isActive(stage) ? null : raisedAt + (place + 1) * 7 * minuteMs,
    confirmed,
    confirmedBy: confirmed ? person : null,
    confirmedAt: confirmed ? raisedAt + 3 * minuteMs : null,
    note: confirmed ? note : '',
    shelvedUntil: stage === 'shelved' ? now + 8 * hourMs : null,
    outOfService: stage === 'outOfService',
    mayShelve: true,
  }
}

function event(place: number, row: Alarm, more: Partial<alarms.AlarmJournalEvent>): alarms.AlarmJournalEvent {
  const { machineId, machineCode, machineName, alarmId, level, text, value, raisedAt } = row
  return {
    ...{ id: place, machineId, machineCode, machineName, alarmId, level, text, value },
    ...{ kind: 'raised', at: raisedAt, receivedAt: raisedAt + 40, count: 1, by: null },
    ...{ isContact: false, until: null, note: '' },
    ...more,
  }
}

function countsOf(lang: Lang, now: number) {
  const { machine, second } = words[lang]
  const raised = [31, 12, 0, 44, 9, 27, 18]
  return {
    ...{ active: 27, unconfirmed: 10_000, today: 18, shelved: 2, outOfService: 1 },
    byLevel: { critical: 3, major: 6, minor: 14, info: 4 },
    byDay: raised.map((count, place) => ({ from: now - (6 - place) * dayMs, raised: count })),
    topMachines: [machine, second, `${second} B`].map((machineName, place) => ({
      ...{ machineId: 901 + place, machineCode: `88${String(place).padStart(17, '0')}`, machineName },
      raised: [88, 41, 12][place] ?? 0,
    })),
  }
}

function qualityOf(lang: Lang, from: number, to: number) {
  const now = Date.now()
  const named = Array.from({ length: 10 }, (_, place) => alarm(lang, place, now)).map(
    ({ alarmId, machineId, machineCode, machineName, key, level, text }) => ({
      ...{ alarmId, machineId, machineCode, machineName, key, level, text },
    }),
  )
  const days = Math.ceil((to - from) / dayMs)
  return {
    ...{ from, to, raised: 1412 },
    byLevel: levels.map((level, place) => ({ level, raised: [88, 210, 714, 400][place] ?? 0 })),
    perTenMinutes: { average: 1.4, highest: 37, highestAt: now - dayMs, rating: 'manageable' },
    perDay: { average: 201.7, highest: 512, highestAt: now - 2 * dayMs, rating: 'manageable' },
    byDay: Array.from({ length: days }, (_, place) => ({
      from: from + place * dayMs,
      raised: (place * 131) % 420,
    })),
    floods: [0, 1, 2].map((place) => ({
      ...{ from: now - (place + 1) * dayMs, to: now - (place + 1) * dayMs + 24 * minuteMs },
      ...{ raised: 120 - place * 30, peak: 37 - place * 8 },
    })),
    ...{ floodsCount: 3, floodPercent: 2.3 },
    chattering: named.slice(0, 3).map((row, place) => ({ ...row, raised: 88 - place * 20, peak: 9 - place })),
    chatteringCount: 3,
    standing: named
      .slice(3, 5)
      .map((row, place) => ({ ...row, raisedAt: now - (place + 2) * dayMs - 3 * hourMs })),
    standingCount: 61,
    worst: named.map((row, place) => ({ ...row, raised: 210 - place * 17, percent: 14.9 - place * 1.3 })),
    worstPercent: 71.2,
  }
}

/** The platform's answer with these alarms. */
async function answer({ page, lang }: View): Promise<void> {
  const now = Date.now()
  const rows = Array.from({ length: 14 }, (_, place) => alarm(lang, place, now))
  const { instruction, person, reason, note } = words[lang]
  const ok = (hwdata: unknown) => ({ json: { hwcode: 0, hwreason: 'OK', hwdata } })
  await page.route('**/api/v1/devices/alarmCount/kanban*', (route) => route.fulfill(ok(countsOf(lang, now))))
  await page.route('**/api/v1/devices/alarmList/kanban*', (route) => {
    const isNone = new URL(route.request().url()).searchParams.has('text')
    const list = isNone ? [] : rows
    const total = isNone ? 0 : 10_000
    return route.fulfill(ok({ list, total, page: 1, pageSize: 50, isCut: !isNone }))
  })
  await page.route(/\/api\/v1\/alarm\/\d+/, (route) => {
    const id = Number(new URL(route.request().url()).pathname.split('/').pop())
    const row = rows[id - 1] ?? alarm(lang, 0, now)
    const isQuiet = row.stage === 'shelved' || row.stage === 'outOfService'
    return route.fulfill(
      ok({
        ...{ ...row, instruction, group: 'PLC', shelveId: isQuiet ? 4 : null, maySeeKeys: true },
        ...{ shelveReason: isQuiet ? reason : '', shelvedBy: isQuiet ? person : null },
      }),
    )
  })
  await page.route('**/api/v1/alarm/journal*', (route) => {
    const row =
      rows[Number(new URL(route.request().url()).searchParams.get('alarmId')) - 1] ?? alarm(lang, 0, now)
    const list = [
      event(4, row, {
        kind: 'shelved',
        at: now - 3 * minuteMs,
        by: person,
        until: now + hourMs,
        note: reason,
      }),
      event(3, row, { kind: 'confirmed', at: now - 5 * minuteMs, by: person, note }),
      event(2, row, { kind: 'counted', at: row.raisedAt + 2 * minuteMs, count: 14 }),
      event(1, row, {}),
    ]
    return route.fulfill(ok({ list, total: list.length, page: 1, pageSize: 200, isCut: false }))
  })
  await page.route('**/api/v1/alarm/told?*', (route) => route.fulfill(ok(toldOf(lang, now))))
  await page.route('**/api/v1/alarm/quality*', (route) => {
    const { searchParams } = new URL(route.request().url())
    return route.fulfill(
      ok(qualityOf(lang, Number(searchParams.get('from')), Number(searchParams.get('to')))),
    )
  })
  await page.route('**/api/v1/visits/report*', (route) => route.fulfill(ok(aroundOf(lang, now))))
  await page.route('**/api/v1/data/history*', (route) => {
    const { searchParams } = new URL(route.request().url())
    return route.fulfill(ok(historyOf(Number(searchParams.get('from')), now)))
  })
  await page.route('**/api/v1/data/*/tags*', (route) => route.fulfill(ok([tagOf(lang)])))
}

const outcomes = [
  ['push', 'sent', ''],
  ['message', 'sent', ''],
  ['sms', 'delivered', ''],
  ['email', 'failed', 'undelivered'],
  ['sms', 'skipped', 'quietHours'],
  ['email', 'waiting', 'digest'],
] as const

/** Two people and a contact in the first step, a step that was sent, one that is due, and one after it. */
function toldOf(lang: Lang, now: number) {
  const { person, note } = words[lang]
  const rows = outcomes.map(([channel, state, reason], place) => ({
    ...{ id: place + 1, channel, state, reason, step: place < 4 ? 0 : 1, level: 'critical', isDigest: false },
    ...{ who: `u${place < 3 ? 1 : 2}`, name: place < 3 ? person : note.slice(0, 18), isContact: place === 3 },
    ...{ createTime: now - (20 - place) * minuteMs, settledAt: now - (20 - place) * minuteMs + 1_400 },
  }))
  const step = { who: 'keys', how: ['sms'], dueAt: null }
  const steps = [
    { ...step, step: 1, state: 'told' },
    { ...step, step: 2, state: 'next', who: 'members', dueAt: now + 9 * minuteMs },
    { ...step, step: 3, state: 'later', who: 'contactIds', dueAt: now + 39 * minuteMs },
  ]
  const escalation = { end: null, endedAt: null, steps }
  return { list: rows, total: rows.length, page: 1, pageSize: 500, isCut: false, escalation }
}

function aroundOf(lang: Lang, now: number) {
  const { machine, person, tag } = words[lang]
  const at = now - 14 * minuteMs
  return {
    machine: { machineId: 901, machineCode: `88${'0'.repeat(17)}`, name: machine },
    ...{ from: at, to: now, isCut: false },
    visits: [
      {
        ...{
          sessionId: 3,
          user: { userId: 9, name: person, me: false },
          kind: 'page',
          target: 'PLC',
          mode: 'rw',
        },
        machine: { machineId: 901, machineCode: `88${'0'.repeat(17)}`, name: machine },
        ...{ by: null, from: at, until: at + 9 * minuteMs, idleAt: null, live: false, releaseAt: null },
        ...{ bytesIn: 1, bytesOut: 1, controls: false, asks: false, endedBy: null, reason: null, note: '' },
      },
    ],
    writes: [
      {
        ...{ id: 8, at: at + 2 * minuteMs, user: person, sessionId: 3, tagId: 5, tag },
        ...{ from: 76, to: 72, state: 'confirmed', kept: null, reason: '', note: '' },
      },
    ],
  }
}

function historyOf(from: number, now: number) {
  const points = Array.from({ length: 240 }, (_, place) => {
    const at = from + place * 5_000
    const value = 75 + 2 * Math.sin(place / 12) - (place > 108 ? Math.min(6.5, (place - 108) / 6) : 0)
    return [at, Math.round(value * 10) / 10, null, null, 'good'] as const
  }).filter(([at]) => at < now)
  return {
    series: [
      {
        ...{ tagId: 5, machineId: 901, kind: 'raw', intervalMs: null, points },
        ...{ cutAt: null, before: null, after: null, version: null },
      },
    ],
    ...{ gaps: [], lost: [] },
  }
}

const tagOf = (lang: Lang) => ({
  ...{
    tagId: 5,
    machineId: 901,
    group: 'PLC',
    name: words[lang].tag,
    key: 'hold',
    type: 'float64',
    unit: '°C',
  },
  ...{ scale: 1, min: null, max: null, readOnly: true, isKey: true },
})

function screen(name: string, address: string, then?: (view: View) => Promise<void>): Screen {
  return {
    name: `alarm-centre${name}`,
    signedIn: true,
    async arrive(view) {
      await answer(view)
      await view.page.goto(address)
      await view.page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
      await then?.(view)
    },
  }
}

const listed = async ({ page, t }: View) => {
  await page.getByRole('region', { name: t.alarms.counts.charts }).getByText('88').first().waitFor()
  await page.getByText('Drive overload').or(page.getByText('变频器过载')).first().waitFor()
}

const opened = async (view: View) => {
  const { page, t } = view
  await page.locator('[data-pane]').getByRole('heading', { name: t.alarms.page.journal }).waitFor()
}

/** The alarm centre: the list, an alarm in each state with its actions, the dialogs, and quality. */
export const alarmScreens: readonly Screen[] = [
  screen('', '/alarmCenter?eid=0', listed),
  screen('-detail', '/alarmCenter?eid=0&alarm=1', opened),
  screen('-shelved', '/alarmCenter?eid=0&alarm=5', opened),
  screen('-empty', '/alarmCenter?eid=0', async (view) => {
    await listed(view)
    const { page, t } = view
    await page.getByRole('searchbox', { name: t.alarms.list.search }).fill('zzz')
    await page.getByText(t.table.noMatch).waitFor()
  }),
  screen('-shelve', '/alarmCenter?eid=0&alarm=1', async (view) => {
    const { page, t } = view
    await opened(view)
    await page.locator('[data-pane]').getByRole('button', { name: t.alarms.acts.shelve, exact: true }).click()
    await page.getByRole('dialog', { name: t.alarms.acts.shelveTitle(1) }).waitFor()
  }),
  screen('-acknowledge', '/alarmCenter?eid=0', async (view) => {
    const { page, t } = view
    await listed(view)
    await page
      .getByRole('button', { name: new RegExp(`^${t.alarms.acts.confirm}`) })
      .first()
      .click()
    await page.getByRole('dialog', { name: t.alarms.acts.confirmTitle(1) }).waitFor()
  }),
  screen('-quality', '/alarmCenter/quality?eid=0', async ({ page, t }) => {
    await page.getByRole('heading', { name: t.alarms.quality.worst }).waitFor()
  }),
]
