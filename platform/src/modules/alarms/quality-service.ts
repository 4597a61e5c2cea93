import { alarmLimits, alarms as contract } from '@busbar/contract'
import { Failure } from '../../kernel/http/failure.ts'
import type { MachineSpace } from '../access/index.ts'
import { findZone, spaceOfCall } from '../spaces/index.ts'
import { type CentreDeps, findScope, type Reader } from './centre-service.ts'
import * as centre from './centre-store.ts'
import { textOf } from './centre-views.ts'
import { findFloods, findHighest, rate, spanMs } from './quality.ts'
import * as store from './quality-store.ts'

const dayMs = 86_400_000
const worstMax = 10
const { alarmQualityRowsMax: rowsMax, alarmFloodsMax: floodsMax } = alarmLimits

/**
 * How well people can handle the alarms of a space in a period, by EEMUA 191 and ISA-18.2.
 * @throws Failure SPAN_INVALID or ALARM_SPAN
 */
export async function getQuality(
  deps: CentreDeps,
  reader: Reader,
  request: MachineSpace & store.Period,
): Promise<contract.AlarmQuality> {
  const { from } = request
  if (request.to <= from) throw new Failure('SPAN_INVALID')
  if (request.to - from > alarmLimits.alarmQualityDaysMax * dayMs) throw new Failure('ALARM_SPAN')
  // Averages end now: the future has no alarms yet.
  const to = Math.max(from + 1, Math.min(request.to, reader.now))
  const { db } = deps
  const period = { from, to }
  const scope = await findScope(deps, reader, request)
  const zone = await findZone(db, spaceOfCall(reader.userId, request.eid), reader.lang)
  const days = await daysOf(deps, zone, period)
  const [spans, raisedByDay, byLevel, worst, chattering, standing] = await Promise.all([
    store.countBySpan(db, scope, period),
    centre.countRaised(db, scope, days, 0),
    store.countByLevel(db, scope, period),
    store.listWorst(db, scope, period, worstMax),
    store.listChattering(db, scope, period, rowsMax),
    store.listStanding(db, scope, to, rowsMax),
  ])
  const rows = [...worst, ...chattering.rows, ...standing.rows]
  const names = await centre.listMachineNames(db, scope, [...new Set(rows.map((row) => row.machine_id))])
  const nameAlarm = (row: store.NamedAlarmRow) => {
    const machine = names.get(row.machine_id) ?? {
      machineId: row.machine_id,
      machineCode: '',
      machineName: '',
    }
    return {
      ...machine,
      alarmId: row.alarm_id,
      key: row.key,
      level: row.level,
      text: textOf(row, { lang: reader.lang }),
    }
  }
  const raised = spans.reduce((sum, span) => sum + span.raised, 0)
  const percentOf = (part: number, whole: number) =>
    whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10
  const perTen = round((raised * spanMs) / (to - from))
  const perDay = round((raised * dayMs) / (to - from))
  const byDay = days.slice(0, -1).map((day, index) => ({
    from: day.getTime(),
    raised: raisedByDay.byDay.get(index + 1) ?? 0,
  }))
  const floods = findFloods(spans)
  const floodMs = floods.reduce((sum, flood) => sum + Math.min(flood.to, to) - flood.from, 0)
  const { alarmTargets } = contract
  return {
    from,
    to,
    raised,
    byLevel,
    perTenMinutes: {
      average: perTen,
      ...findHighest(spans),
      rating: rate(perTen, alarmTargets.perTenMinutes),
    },
    perDay: { average: perDay, ...findHighest(byDay), rating: rate(perDay, alarmTargets.perDay) },
    byDay,
    floods: floods.toSorted((a, b) => b.raised - a.raised || a.from - b.from).slice(0, floodsMax),
    floodsCount: floods.length,
    floodPercent: percentOf(floodMs, to - from),
    chattering: chattering.rows.map((row) => ({ ...nameAlarm(row), raised: row.raised, peak: row.peak })),
    chatteringCount: chattering.count,
    standing: standing.rows.map((row) => ({ ...nameAlarm(row), raisedAt: row.raised_at.getTime() })),
    standingCount: standing.count,
    worst: worst.map((row) => ({
      ...nameAlarm(row),
      raised: row.raised,
      percent: percentOf(row.raised, raised),
    })),
    worstPercent: percentOf(
      worst.reduce((sum, row) => sum + row.raised, 0),
      raised,
    ),
  }
}

const round = (number: number) => Math.round(number * 100) / 100

/** When the days of a period begin in a zone, the period's own ends for the first and the last. */
async function daysOf({ db }: CentreDeps, zone: string, { from, to }: store.Period): Promise<Date[]> {
  const whole = await centre.listDays(db, zone, new Date(to), Math.ceil((to - from) / dayMs) + 2)
  const inside = whole.filter((day) => day.getTime() > from && day.getTime() < to)
  return [new Date(from), ...inside, new Date(to)]
}
