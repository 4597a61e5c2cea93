import type { alarms as contract, Text } from '@busbar/contract'
import { chooseText } from '../../kernel/choose-text.ts'
import { type Access, maySet, type NameReader, personName } from '../access/index.ts'
import type { EndNote } from './alarm-event.ts'
import { stageOf } from './alarm-stage.ts'
import type { AlarmListRow } from './centre-store.ts'
import type { JournalRow } from './journal-store.ts'
import { type TagNames, tagOf } from './tag-names.ts'

interface Named {
  readonly text: unknown
}

/** A reader, how variables are called, and the reader's rights to the machine. */
export interface Words extends NameReader {
  readonly tags: TagNames
  readonly own: Access | undefined
}

/** An alarm's text for a reader, as the machine gave it or as its rule filled it in. */
export function textOf(row: Named, { lang }: Pick<Words, 'lang'>, texts: unknown = row.text): string {
  return chooseText(texts, lang)
}

const unitOf = (tagId: number | null, tags: TagNames) => (tagId === null ? '' : (tags.get(tagId)?.unit ?? ''))

/** An alarm as lists show it to a reader. */
export function presentAlarm(row: AlarmListRow, words: Words): contract.AlarmRow {
  const isActive = row.cleared_at === null
  const isConfirmed = row.confirmed_at !== null
  // An alarm that is over and confirmed does not count as shelved or out of service.
  const asks = isActive || !isConfirmed
  const isOutOfService = asks && row.out_of_service === true
  const shelvedUntil = asks ? (row.shelved_until?.getTime() ?? null) : null
  return {
    alarmId: row.id,
    machineId: row.machine_id,
    machineCode: row.code,
    machineName: row.machine_name,
    key: row.key,
    ruleId: row.rule_id,
    tagId: row.tag_id,
    tag: tagOf(row.tag_id, words.tags, words.lang),
    unit: unitOf(row.tag_id, words.tags),
    level: row.level,
    text: textOf(row, words),
    value: row.value,
    limit: row.limit_value,
    count: row.count,
    state: isActive ? 'active' : 'cleared',
    stage: stageOf({ isActive, isConfirmed, isShelved: shelvedUntil !== null, isOutOfService }),
    raisedAt: row.raised_at.getTime(),
    receivedAt: row.received_at.getTime(),
    clearedAt: row.cleared_at?.getTime() ?? null,
    confirmed: isConfirmed,
    confirmedBy: personName(words, words.own, { userId: row.confirmed_by, name: row.confirmed_by_name }),
    confirmedAt: row.confirmed_at?.getTime() ?? null,
    note: row.note,
    shelvedUntil,
    outOfService: isOutOfService,
    mayShelve: maySet(words.own, 'alarm'),
    ...(row.repeated !== null && row.repeated > 1 && row.repeated_at
      ? { repeats: { count: row.repeated, at: row.repeated_at.map((at) => at.getTime()) } }
      : {}),
  }
}

/** Why an alarm ended without its condition, in the words of a reader. */
const endNotes: Record<EndNote, Text> = {
  ruleChanged: { cn: '规则已修改', en: 'The rule was changed' },
  ruleRemoved: { cn: '规则已删除', en: 'The rule was deleted' },
}

/** The note of a person, or the reason of an end that no person wrote. */
function noteOf({ kind, note }: JournalRow, { lang }: Pick<Words, 'lang'>): string {
  return kind === 'cleared' && Object.hasOwn(endNotes, note) ? endNotes[note as EndNote][lang] : note
}

/** An event as the journal shows it to a reader. */
export function presentEvent(row: JournalRow, words: Words): contract.AlarmJournalEvent {
  return {
    id: row.id,
    machineId: row.machine_id,
    machineCode: row.code,
    machineName: row.machine_name,
    alarmId: row.alarm_id,
    kind: row.kind,
    at: row.at.getTime(),
    receivedAt: row.received_at.getTime(),
    level: row.level,
    text: textOf(row, words),
    value: row.value,
    count: row.count,
    by: personName(words, words.own, { userId: row.user_id, name: row.user_name }),
    isContact: row.contact_id !== null,
    until: row.until?.getTime() ?? null,
    note: noteOf(row, words),
  }
}
