import type { Lang } from '@busbar/contract'
import { type Gathered, presentAlarm } from './gather.ts'
import type { ReportData, ReportTag } from './report-data.ts'

/** A reader of a report: the receiver, and the devices that they may see. */
export interface ReportReader {
  readonly lang: Lang
  readonly machineIds: readonly number[]
  /** The reader's names for the machines. */
  readonly names: ReadonlyMap<number, string>
  /** Devices that its owner sees, and this reader does not. */
  readonly unseen: number
  readonly confirmers: SeenConfirmers
}

/** The people who acknowledged alarms of a report, as far as a reader sees them (rules/alarms.md: names of people). */
export interface SeenConfirmers {
  /** The reader, if they are one of them; else 0. */
  readonly userId: number
  /** The devices on whose alarms the reader sees the others. */
  readonly machineIds: ReadonlySet<number>
  /** Those who are in an enterprise of the reader. */
  readonly colleagues: ReadonlySet<number>
}

/** The head of a report, without its figures. */
export interface ReportHead extends Pick<ReportData, 'name' | 'timeZone' | 'brand' | 'owner' | 'madeAt'> {
  /** Devices to which its owner has lost the right. */
  readonly lostMachines: number
  readonly codes: ReadonlyMap<number, string>
  /** The order of devices. */
  readonly order: readonly number[]
}

/** A report for one reader. Devices that the reader may not see are left out completely: their names and all counts. */
export function composeData(head: ReportHead, gathered: Gathered, reader: ReportReader): ReportData {
  const seen = new Set(reader.machineIds)
  const isSeen = ({ machineId }: { readonly machineId: number }) => seen.has(machineId)
  const { lang } = reader
  const tags = new Map(
    gathered.tags[lang].filter(isSeen).map((tag): [number, ReportTag] => [
      tag.tagId,
      {
        machineId: tag.machineId,
        tagId: tag.tagId,
        group: tag.group,
        name: tag.name || tag.tag,
        unit: tag.unit,
        digits: tag.scale,
        words: tag.enum ?? {},
      },
    ]),
  )
  const inOrder = [...tags.values()].sort(
    (a, b) => head.order.indexOf(a.machineId) - head.order.indexOf(b.machineId),
  )
  const joined = <T extends object>(found: ReadonlyMap<number, T> | undefined) =>
    found &&
    inOrder.flatMap((tag) => {
      const one = found.get(tag.tagId)
      return one ? [{ ...tag, ...one }] : []
    })
  const nameOf = (tagId: number) => tags.get(tagId)?.name ?? ''
  return {
    name: head.name,
    lang,
    timeZone: head.timeZone,
    brand: head.brand,
    owner: head.owner,
    madeAt: head.madeAt,
    ...gathered.period,
    machines: head.order
      .filter((id) => seen.has(id))
      .map((id) => ({ id, name: reader.names.get(id) ?? '', code: head.codes.get(id) ?? '' })),
    leftOut: {
      machines: head.lostMachines,
      unseen: reader.unseen,
      tags: gathered.missingTags.filter(isSeen).map(({ name }) => name),
      tooLarge: gathered.tooLarge.filter((id) => tags.has(id)).map(nameOf),
    },
    availability: gathered.availability?.filter(isSeen),
    statistics: joined(gathered.figures),
    trends: joined(gathered.trends),
    alarms: gathered.alarms && composeAlarms(gathered.alarms, isSeen, reader),
  }
}

function composeAlarms(
  alarms: NonNullable<Gathered['alarms']>,
  isSeen: (of: { readonly machineId: number }) => boolean,
  { lang, confirmers }: ReportReader,
): ReportData['alarms'] {
  const present = (alarm: (typeof alarms.latest)[number]) =>
    presentAlarm(alarm, { ...confirmers, lang }, confirmers.machineIds.has(alarm.machineId))
  const byMachine = alarms.byMachine.filter(isSeen)
  const total = byMachine.reduce((sum, one) => sum + one.critical + one.major + one.minor + one.info, 0)
  return {
    raised: byMachine.reduce((sum, { raised }) => sum + raised, 0),
    byMachine,
    longest: alarms.longest.filter(isSeen).map(present),
    list: alarms.latest.filter(isSeen).map(present),
    total,
  }
}
