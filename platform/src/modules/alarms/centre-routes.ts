import { alarmLimits, type CsvWish, alarms as contract, csvFormOf, type Lang } from '@busbar/contract'
import { chooseText } from '../../kernel/choose-text.ts'
import { ZoneClock } from '../../kernel/files/zone-clock.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { personName } from '../access/index.ts'
import { findZone, spaceOfCall } from '../spaces/index.ts'
import { type CsvReader, formatAlarms, formatEvents, formatQuality } from './alarm-csv.ts'
import { findAlarmMachine, findCover } from './alarms-views.ts'
import {
  type CentreDeps,
  countAlarms,
  getAlarm,
  listAlarms,
  listEvents,
  type Reader,
} from './centre-service.ts'
import { getQuality } from './quality-service.ts'

const csvPage = { page: 1, pageSize: alarmLimits.alarmCsvLinesMax }

const readerOf = (context: {
  readonly user: { readonly userId: number }
  readonly lang: Reader['lang']
  readonly now: number
}): Reader => ({ userId: context.user.userId, lang: context.lang, now: context.now })

/** Counts, lists, journal and quality of alarms. */
export function centreRoutes(deps: CentreDeps): Binding[] {
  const { db, access, tags } = deps
  const zoneOf = ({ userId, lang }: Reader, eid: number | undefined) =>
    findZone(db, spaceOfCall(userId, eid), lang)
  return [
    bind(contract.countAlarms, (input, context) => countAlarms(deps, readerOf(context), input)),

    bind(contract.listAlarms, (input, context) => listAlarms(deps, readerOf(context), input, input)),

    bind(contract.listUnconfirmedAlarms, async ({ deviceId, ...paging }, context) => {
      const request = { machineId: deviceId, state: 'unconfirmed' } as const
      const { isCut, next, ...page } = await listAlarms(deps, readerOf(context), request, paging)
      return page
    }),

    bind(contract.getAlarm, async ({ id }, context) => {
      const reader = readerOf(context)
      const { lang, now } = reader
      const machineId = (await findAlarmMachine(db, id)) ?? 0
      const { row, alarm } = await getAlarm(deps, reader, id, machineId)
      const cover =
        alarm.shelvedUntil !== null || alarm.outOfService ? await findCover(db, id, now) : undefined
      const colleagues = await access.listColleagues(reader.userId, [cover?.userId ?? null])
      const own = (await access.list(reader.userId, [machineId], now)).get(machineId)
      const tagId = row.tag_id
      const names = await tags.listTagNames(tagId === null ? [] : [tagId])
      return {
        ...alarm,
        instruction: chooseText(row.instruction, lang),
        group: tagId === null ? null : (names.get(tagId)?.group ?? null),
        shelveId: cover?.id ?? null,
        shelveReason: cover?.reason ?? '',
        shelvedBy: cover ? personName({ ...reader, colleagues }, own, cover) : null,
        maySeeKeys: own?.rights.has('bkey+') ?? false,
      }
    }),

    bind(contract.listAlarmJournal, (input, context) => listEvents(deps, readerOf(context), input, input)),

    bind(contract.getAlarmQuality, (input, context) => getQuality(deps, readerOf(context), input)),

    bind(contract.exportAlarms, async (input, context) => {
      const reader = readerOf(context)
      const { list, isCut } = await listAlarms(deps, reader, input, {
        ...csvPage,
        sort: input.sort,
        direction: input.direction,
      })
      return {
        ...formatAlarms(list, csvReader(reader, await zoneOf(reader, input.eid), input)),
        isCut,
      }
    }),

    bind(contract.exportAlarmJournal, async (input, context) => {
      const reader = readerOf(context)
      const { list, isCut } = await listEvents(deps, reader, input, csvPage)
      return {
        ...formatEvents(list, csvReader(reader, await zoneOf(reader, input.eid), input)),
        isCut,
      }
    }),

    bind(contract.exportAlarmQuality, async (input, context) => {
      const reader = readerOf(context)
      const quality = await getQuality(deps, reader, input)
      return formatQuality(quality, csvReader(reader, await zoneOf(reader, input.eid), input))
    }),
  ]
}

const csvReader = ({ lang }: { readonly lang: Lang }, zone: string, wish: CsvWish): CsvReader => ({
  lang,
  clock: new ZoneClock(zone),
  form: csvFormOf(wish),
})
