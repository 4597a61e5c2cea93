import { create, DeviceInformSchema, Scene, toBinary } from '@busbar/contract/push'
import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { createUserEvents } from '../../kernel/events/user-events.ts'
import type { TagNames } from '../alarms/index.ts'
import type { Mailbox } from '../messages/index.ts'
import { formatAlarmFrame } from './alarm-texts.ts'
import * as store from './notifications-store.ts'
import { type FrameRequest, type Made, Plan, type Planned } from './plan.ts'
import { wordsOf } from './words.ts'

/** Writes planned rows, and windows with them; answers the rows that were not there yet. */
export async function writePlanned(
  trx: Transaction<DB>,
  planned: readonly Planned[],
  now: number,
  windows: readonly store.NamedWindow[] = [],
): Promise<Made[]> {
  const ids = await store.createNotifications(
    trx,
    planned.map(({ row }) => row),
    new Date(now),
    windows,
  )
  return planned.flatMap((each, place) => {
    const id = ids[place]
    return id === undefined ? [] : [{ ...each, id }]
  })
}

/** The frames without a row yet. */
export async function leaveOutFramed(
  trx: Transaction<DB>,
  requests: readonly FrameRequest[],
): Promise<FrameRequest[]> {
  const framed = await store.listFramed(trx, [...new Set(requests.map(({ told }) => told.fact.id))])
  return requests.filter(
    ({ told, recipient }) => !framed.has(`${told.fact.id}/${recipient.userId}/${told.step ?? 0}`),
  )
}

/**
 * Writes the rows of frames; answers those that were not there. Two transactions may try it for the same alarm at once:
 * each takes the windows, then the rows in their order, so that one waits for the other.
 */
export async function writeFrames(
  trx: Transaction<DB>,
  requests: readonly FrameRequest[],
  now: number,
): Promise<Made[]> {
  if (requests.length === 0) return []
  const machineIds = [...new Set(requests.map(({ told }) => told.machine.id))]
  const plan = new Plan(await store.lockWindows(trx, machineIds, ['push']), now)
  for (const { told, recipient } of requests) plan.addFrame(told, recipient)
  const inOrder = plan
    .finish()
    .toSorted(
      ({ row: a }, { row: b }) =>
        a.factId - b.factId || (a.userId ?? 0) - (b.userId ?? 0) || a.channel.localeCompare(b.channel),
    )
  return writePlanned(trx, inOrder, now, plan.windows)
}

/** Pushes scene 1, and beside it scene 2 of critical alarms. */
export async function pushFrames(
  { mailbox }: { readonly mailbox: Pick<Mailbox, 'lockUnread'> },
  trx: Transaction<DB>,
  made: readonly Made[],
  tags: TagNames,
  now: number,
): Promise<void> {
  const frames = made.filter(({ row }) => row.channel === 'push' && row.state === 'sent')
  if (frames.length === 0) return
  const userIds = frames.map(({ recipient }) => recipient.userId as number)
  const unreadOf = await mailbox.lockUnread(trx, [...new Set(userIds)])
  const eventOf = ({ told, recipient }: Made) => ({
    userId: recipient.userId as number,
    body: toBinary(
      DeviceInformSchema,
      create(DeviceInformSchema, {
        deviceCode: told.machine.code,
        deviceId: String(told.machine.id),
        totalUnreadMsg: unreadOf(recipient.userId as number),
        alarmId: String(told.alarm.id),
        level: told.fact.level,
        text: formatAlarmFrame(wordsOf(told, recipient, tags), recipient),
      }),
    ),
  })
  const events = frames.flatMap((frame) => {
    const event = eventOf(frame)
    return frame.row.level === 'critical' ? [event, { ...event, scene: Scene.VOICE }] : [event]
  })
  await createUserEvents(trx, Scene.DEVICE_ALARM, new Date(now), events)
}
